import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.{ts,tsx}', 'tools/**/*.test.ts'],
    globalSetup: ['packages/server/test/every-error-provoked.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // What a machine with other work needs: they end what hangs, and judge no speed.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // By them it is told what no run has run (`tools/test-tally.mjs`).
    includeTaskLocation: true,
    expect: { poll: { timeout: 20_000 } },
  },
})
