import { spawnSync } from 'node:child_process'
import { findChromium } from './chromium.mjs'
import { root } from './root.mjs'

// Adds some thousands of pictures in a browser, `MANY_FILES` of them, and says how long that took and what
// held the tab for longest.

const env = { MANY_FILES: '3000', ...process.env, CHROMIUM_PATH: findChromium() }
const words = 'playwright test --config e2e/playwright.config.ts add-files --grep responsive'
const { status } = spawnSync('npx', ['--no-install', ...words.split(' ')], {
  cwd: root,
  env,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exit(status ?? 1)
