import { defineConfig } from 'vitest/config'

/** Tests that start programs of ours as processes, or mount disks. */
const processes = 'packages/*/test/**/*.process.test.ts'

export default defineConfig({
  test: {
    globalSetup: ['packages/server/test/every-error-provoked.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // What a machine with other work needs: they end what hangs, and judge no speed.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // By them it is told what no run has run (`tools/test-tally.mjs`).
    includeTaskLocation: true,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['packages/*/{src,test}/**/*.test.{ts,tsx}', 'tools/**/*.test.ts'],
          exclude: [processes],
          // Loading the server anew for each file took a third of the processor's time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'processes', include: [processes] } },
    ],
  },
})
