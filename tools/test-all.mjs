import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from './build-web.mjs'
import { findChromium } from './chromium.mjs'
import { root } from './root.mjs'
import { startEngines } from './test-engines.mjs'

const results = join(root, 'test-results')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const chromium = findChromium()
buildWeb()
const engines = await startEngines({ withPostgres: false })

const totals = { passed: 0, failed: 0, skipped: 0 }
const statuses = [
  ...engines.runs.map(({ name, env }, index) => {
    console.log(`\nTests on ${name}`)
    // Only the server knows what its engines are; everything else has run once then.
    return vitest(index === 0 ? [] : ['packages/server/'], env)
  }),
  playwright(),
]
await engines.stop()

const { passed, failed, skipped } = totals
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
for (const sentence of engines.leftOut) console.log(sentence)
process.exit(statuses.every((status) => status === 0) && failed === 0 ? 0 : 1)

function vitest(folders, env) {
  const json = join(results, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${json}`]
  const status = run(['vitest', 'run', ...folders, ...reporters], env)
  const found = JSON.parse(readFileSync(json, 'utf8'))
  totals.passed += found.numPassedTests
  totals.failed += found.numFailedTests
  totals.skipped += found.numPendingTests + found.numTodoTests
  return status
}

function playwright() {
  const json = join(results, 'playwright.json')
  const status = run(
    ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: json },
  )
  const { stats } = JSON.parse(readFileSync(json, 'utf8'))
  totals.passed += stats.expected + stats.flaky
  totals.failed += stats.unexpected
  totals.skipped += stats.skipped
  return status
}

function run(command, env) {
  const { status } = spawnSync('npx', ['--no-install', ...command], {
    cwd: root,
    env: { ...process.env, CHROMIUM_PATH: chromium, ...env },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  return status
}
