import { spawnSync } from 'node:child_process'
import { findChromium } from './chromium.mjs'
import { root } from './root.mjs'

const env = { ...process.env, CHROMIUM_PATH: findChromium() }
const { status } = spawnSync(
  'npx',
  ['--no-install', 'playwright', 'test', '--config', 'e2e/screenshots.config.ts'],
  { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32' },
)
process.exit(status ?? 1)
