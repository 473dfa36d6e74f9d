import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from './build-web.mjs'
import { findChromium } from './chromium.mjs'
import { root } from './root.mjs'

const results = join(root, 'test-results')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const chromium = findChromium()
buildWeb()

const vitestJson = join(results, 'vitest.json')
const playwrightJson = join(results, 'playwright.json')
const statuses = [
  run(['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile=${vitestJson}`]),
  run(['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightJson,
  }),
]

const vitest = JSON.parse(readFileSync(vitestJson, 'utf8'))
const { stats } = JSON.parse(readFileSync(playwrightJson, 'utf8'))
const passed = vitest.numPassedTests + stats.expected + stats.flaky
const failed = vitest.numFailedTests + stats.unexpected
const skipped = vitest.numPendingTests + vitest.numTodoTests + stats.skipped
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(statuses.every((status) => status === 0) && failed === 0 ? 0 : 1)

function run(command, env = {}) {
  const { status } = spawnSync('npx', ['--no-install', ...command], {
    cwd: root,
    env: { ...process.env, CHROMIUM_PATH: chromium, ...env },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  return status
}
