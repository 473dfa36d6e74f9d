/**
 * How the server's Node is to collect garbage. With the usual 16 MiB for what is new, and threads that
 * help and have to be waited for, one collection took 40 ms beside other work on two cores
 * (docs/decisions/0092-small-collections.md).
 */
export const nodeFlags = ['--max-semi-space-size=4', '--no-parallel-scavenge']

/**
 * Variables of its environment, where its user sets no others. Threads that come and go leave memory in as
 * many pools of glibc as they are, which none of the others uses (docs/decisions/0090-rows-leave-as-bytes.md);
 * and what is larger than this goes back to the system when it is freed, instead of into a pool
 * (docs/decisions/0095-threads-load-little.md).
 */
export const nodeVariables = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '524288' }
