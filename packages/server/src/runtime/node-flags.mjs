/**
 * How the server's Node is to collect garbage. With the usual 16 MiB for what is new, and threads that
 * help and have to be waited for, one collection took 40 ms beside other work on two cores. Without a percentage of its
 * own a small heap that was idle is collected whole several times a second once there is work
 * (docs/decisions/performance.md).
 */
export const nodeFlags = [
  '--max-semi-space-size=4',
  '--no-parallel-scavenge',
  '--heap-growing-percent=70',
]

/**
 * Variables of its environment, where its user sets no others. Threads that come and go leave memory in as
 * many pools of glibc as they are, which none of the others uses (docs/decisions/exports.md);
 * and what is larger than this goes back to the system when it is freed, instead of into a pool
 * (docs/decisions/exports.md).
 */
export const nodeVariables = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536' }
