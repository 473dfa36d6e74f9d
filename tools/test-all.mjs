import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from './build-web.mjs'
import { findChromium } from './chromium.mjs'
import { root } from './root.mjs'
import { startEngines } from './test-engines.mjs'
import { TestTally } from './test-tally.mjs'

// `test-all.mjs [--all]`: every test on SQLite and files, and those in the browser; with `--all` to their whole
// extent, and also those that know of engines on PostgreSQL and S3, those of blobs on PostgreSQL and files, and
// those of the Python package
// (docs/decisions/tests.md).

/** Tests that know which engines they run on import it, themselves or by what they import. */
const choiceOfEngines = 'packages/server/test/engines.ts'
/** What a test imports itself that is about bytes. */
const importOfBlobs = /from '[^']*\/(?:src\/blobs\/[^']*|test-blobs\.ts|engines\.ts)'/

const isAll = process.argv.includes('--all')
const engines = isAll ? await startEngines() : undefined

const results = join(root, 'test-results')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const chromium = findChromium()
/** What took how long: its name, and seconds. */
const times = []
timed('building the web app', buildWeb)

const tally = new TestTally()
const statuses = [
  vitest('SQLite and files', ['run'], isAll ? { VITRINE_TEST_EXTENT: 'whole' } : {}),
]
if (engines !== undefined) {
  const { 'postgres-files': files, 'postgres-s3': s3 } = engines.runs
  statuses.push(vitest(files.name, ['run', ...testsOfBlobs()], files.env))
  statuses.push(vitest(s3.name, ['related', choiceOfEngines, '--run'], s3.env))
}
statuses.push(playwright())
if (isAll) statuses.push(python())
await engines?.stop()

const { passed, failed, failures, leftOut } = tally
// At the end, where they are found: what went before them is thousands of lines.
for (const failure of failures) console.log(`\nFailed: ${failure.slice(0, 4_000)}`)
console.log()
for (const [name, seconds] of times) console.log(`${seconds.toFixed().padStart(6)} s  ${name}`)
console.log(`\n${passed} passed, ${failed} failed, ${leftOut.length} left out`)
if (isAll) for (const name of leftOut) console.log(`Left out: ${name}`)
else
  console.log(
    'Left out: PostgreSQL, S3 and the Python package. `npm test -- --all` runs those too.',
  )
const isWhole = !isAll || leftOut.length === 0
process.exit(isWhole && failed === 0 && statuses.every((status) => status === 0) ? 0 : 1)

function testsOfBlobs() {
  return globSync('packages/*/test/**/*.test.ts', { cwd: root }).filter((file) =>
    importOfBlobs.test(readFileSync(join(root, file), 'utf8')),
  )
}

function vitest(engines, words, env) {
  console.log(`\nTests on ${engines}`)
  const json = join(results, `${engines.toLowerCase().replaceAll(' ', '-')}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${json}`]
  const status = timed(`tests on ${engines}`, () => run(['vitest', ...words, ...reporters], env))
  tally.addVitest(engines, JSON.parse(readFileSync(json, 'utf8')))
  return status
}

function playwright() {
  console.log('\nTests in the browser')
  const json = join(results, 'browser.json')
  const words = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json']
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: json }
  const status = timed('tests in the browser', () => run(['playwright', ...words], env))
  tally.addPlaywright(JSON.parse(readFileSync(json, 'utf8')))
  return status
}

function python() {
  console.log('\nTests of the Python package')
  const xml = join(results, 'python.xml')
  const words = [join(root, 'tools', 'test-python.ts')]
  const work = () => spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' }).status
  const status = timed('tests of the Python package', work)
  tally.addPytest(existsSync(xml) ? readFileSync(xml, 'utf8') : undefined)
  return status
}

function timed(name, work) {
  const began = performance.now()
  const result = work()
  times.push([name, (performance.now() - began) / 1000])
  return result
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
