import { defineConfig } from '@playwright/test'
import type { WorkerOptions } from './app.ts'
import config from './playwright.config.ts'

/** `npm run test:e2e-processes`: the same tests, each request answered by another of three processes. */
export default defineConfig<object, WorkerOptions>(config, {
  use: { processes: 3 },
})
