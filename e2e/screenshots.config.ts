import { defineConfig } from '@playwright/test'
import config from './playwright.config.ts'

/** `npm run screenshots`: pictures of every screen, into test-results/screenshots. */
export default defineConfig(config, { testMatch: 'screenshots*.ts', timeout: 300_000 })
