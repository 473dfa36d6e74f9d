import { spawnSync } from 'node:child_process'
import { findChromium } from './chromium.mjs'
import { root } from './root.mjs'

// On the engines of `with-engines.mjs`; further words go to Playwright.

const chromium = findChromium()
const command = ['playwright', 'test', '--config', 'e2e/processes.config.ts']
const { status } = spawnSync('npx', ['--no-install', ...command, ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, CHROMIUM_PATH: chromium },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1
