import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { build } from '../tools/build.mjs'

// Where the sources have changed, by the process that starts the workers.
if (process.env['TEST_WORKER_INDEX'] === undefined) build()

const results = join(import.meta.dirname, '..', 'test-results')
const { CHROMIUM_PATH: executablePath } = process.env

/** Milliseconds, as a machine with other work needs them: they end what hangs, and judge no speed. */
const timeLimit = 180_000

/**
 * Features to disable. The browser takes the last such switch alone, so those of Playwright are repeated before ours:
 * each window would load two pages for its address bar, which takes more of the processor than most tests.
 */
const disabledFeatures = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

/** The built app in a real browser, against the real server and its built-in provider. */
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '*.e2e.ts',
  outputDir: join(results, 'e2e'),
  fullyParallel: true,
  workers: 2,
  // A test that passes at the second attempt has found something.
  retries: 0,
  timeout: timeLimit,
  // No wait for an event has a deadline of its own.
  expect: { timeout: timeLimit },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    // The whole browser rather than its reduced headless shell, which an installed one has not.
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A trace costs an eighth of the time of every test: `--trace retain-on-failure` makes one when wanted.
    screenshot: 'only-on-failure',
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: {
      ...(executablePath !== undefined && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${disabledFeatures.join(',')}`,
      ],
    },
  },
})
