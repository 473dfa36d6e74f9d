import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests that start programs of ours as processes, or mount disks. */
const processes = 'packages/*/test/**/*.process.test.ts'
/** Tests of imports and exports, for which a server starts threads that load its code anew. */
const threads = 'packages/*/test/**/*.thread.test.ts'

/** Milliseconds, as a machine with other work needs them: they end what hangs, and judge no speed. */
const timeLimit = 180_000

/** Linux keeps files there in memory; containers often have little of it. */
const memory = '/dev/shm'
const roomMin = 4 * 1024 ** 3

function isRoomy(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= roomMin
}

/** Options of tests that keep nothing beyond their process. */
const inOneProcess = {
  // Loading the server anew for each file took a third of the processor's time.
  isolate: false,
  // A commit there does not wait for a disk. Tests of processes keep their files on it.
  env: isRoomy(memory) ? { TMPDIR: memory } : {},
}

export default defineConfig({
  test: {
    globalSetup: ['packages/server/test/every-error-provoked.ts'],
    // What was transformed, or stripped of types for a thread, is kept for the next run: half a minute
    // of the processor's time in the quick tests.
    fsModuleCache: true,
    fsModuleCachePath: '.cache/vitest',
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache', 'compiled') },
    pool: 'forks',
    // One more than the two cores of a small machine: tests that wait for something leave one idle.
    maxWorkers: 3,
    testTimeout: timeLimit,
    hookTimeout: timeLimit,
    // By them it is told what no run has run (`tools/test-tally.mjs`).
    includeTaskLocation: true,
    // No wait for an event has a deadline of its own.
    expect: { poll: { timeout: timeLimit } },
    tags: [
      {
        name: 'long',
        description:
          'tries very many cases, handles very much, or exports or imports by a thread; left out of `test:quick`',
      },
      { name: 'engines', description: 'differs on PostgreSQL and S3; `.ci/run` runs it there too' },
      { name: 'whole', description: 'only `test:whole` runs it' },
      { name: 'blobs', description: '`.ci/run` runs it where the blobs were changed' },
      { name: 'imports', description: '`.ci/run` runs it where imports were changed' },
      {
        name: 'rows',
        description: '`.ci/run` runs it where readers or writers of rows were changed',
      },
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['packages/*/{src,test}/**/*.test.{ts,tsx}', 'tools/**/*.test.ts'],
          exclude: [processes, threads],
          ...inOneProcess,
        },
      },
      { extends: true, test: { name: 'threads', include: [threads], ...inOneProcess } },
      { extends: true, test: { name: 'processes', include: [processes] } },
    ],
  },
})
