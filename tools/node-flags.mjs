/**
 * How the server's Node is to collect garbage. With the usual 16 MiB for what is new, and threads that
 * help and have to be waited for, one collection took 40 ms beside other work on two cores
 * (docs/decisions/0092-small-collections.md).
 */
export const nodeFlags = ['--max-semi-space-size=4', '--no-parallel-scavenge']
