import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { root } from './root.mjs'
import { startEngines } from './test-engines.mjs'
import { TestTally } from './test-tally.mjs'

// `test-all.mjs [--engines | --whole]`: tests on SQLite and files, and the core journeys in the browser; with
// `--engines` also, on PostgreSQL and S3, those tagged so, and those tagged with a room that was changed; with
// `--whole` every test, to its whole extent, on every engine it knows of (docs/testing.md).

/** Tests that know which engines they run on import it, themselves or by what they import. */
const engineChoice = 'packages/server/test/engines.ts'
/** An import by which a test is about bytes. */
const blobImport = /from '[^']*\/(?:src\/blobs\/[^']*|test-blobs\.ts|engines\.ts)'/
/** Rooms with tests that are left to the night unless the room was changed; such tests are tagged with its name. */
const rooms = {
  blobs: 'packages/server/src/blobs',
  imports: 'packages/server/src/imports',
  rows: 'packages/rows/src',
}
/** More failures are no matter of chance: they get no second try. */
const secondTriesMax = 10

const isWhole = process.argv.includes('--whole')
const engines = isWhole || process.argv.includes('--engines') ? await startEngines() : undefined

const results = join(root, 'test-results')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const chromium = findChromium()
/** Seconds that each part took, by its name. */
const times = []
timed('building', build)

const runs = isWhole ? wholeRuns() : gateRuns()
const tally = new TestTally()
for (const run of runs) perform(run, tally)
// In the whole nothing may depend on chance.
const unsteady = isWhole ? [] : tryAgain()
await engines?.stop()

const failures = tally.failures.filter(
  (failure) => !unsteady.some(({ first }) => first === failure),
)
// At the end, where they are found: thousands of lines go before.
for (const { run, place, title, message } of failures) {
  console.log(`\nFailed on ${run}: ${place ?? ''} ${title}\n${message.slice(0, 4_000)}`)
}
console.log()
for (const [name, seconds] of times) console.log(`${seconds.toFixed().padStart(6)} s  ${name}`)
console.log(
  `\n${tally.passed + unsteady.length} passed, ${failures.length} failed, ${tally.skipped} skipped`,
)
for (const { first } of unsteady) {
  console.log(`Unsteady: ${first.place} ${first.title} (${first.run})`)
}
if (isWhole) for (const name of tally.neverRun) console.log(`On no engine: ${name}`)
process.exit(failures.length === 0 && (!isWhole || tally.neverRun.length === 0) ? 0 : 1)

/** @returns the tests of `npm test`, and with `--engines` those of changed rooms and those that differ on other engines */
function gateRuns() {
  const changed = engines === undefined ? [] : changedRooms()
  if (changed.length > 0)
    console.log(`Changed since yesterday, and tested further: ${changed.join(', ')}`)
  const filter = `--tags-filter=${['!whole', ...changed].join(' or ')}`
  const gate = testFiles().filter(
    ({ tags }) => !tags.includes('whole') || changed.some((room) => tags.includes(room)),
  )
  const gateRun = vitestRun('SQLite and files', ['run', filter, ...gate.map(({ file }) => file)])
  const browser = playwrightRun(['--grep', '@core'])
  if (engines === undefined) return [gateRun, browser]
  const other = gate.filter(({ tags }) => tags.includes('engines')).map(({ file }) => file)
  const { name, env } = engines.runs['postgres-s3']
  return [gateRun, vitestRun(name, ['run', filter, ...other], env), browser]
}

/** @returns the rooms that commits of the last day have changed: every test of the whole runs each night */
function changedRooms() {
  const words = ['log', '--since=1 day ago', '--name-only', '--format=']
  const { stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  const files = stdout.split('\n')
  return Object.keys(rooms).filter((room) =>
    files.some((file) => file.startsWith(`${rooms[room]}/`)),
  )
}

function wholeRuns() {
  const { 'postgres-files': files, 'postgres-s3': s3 } = engines.runs
  const blobTests = testFiles()
    .filter(({ text }) => blobImport.test(text))
    .map(({ file }) => file)
  const again = { VITRINE_TEST_EXTENT: 'again' }
  return [
    vitestRun('SQLite and files', ['run'], { VITRINE_TEST_EXTENT: 'whole' }),
    vitestRun(files.name, ['run', ...blobTests], { ...files.env, ...again }),
    vitestRun(s3.name, ['related', engineChoice, '--run'], { ...s3.env, ...again }),
    playwrightRun([]),
    { name: 'Python', start: startPython },
  ]
}

/** @returns every test file of the packages, with its text and the tags of its first lines */
function testFiles() {
  return globSync(['packages/*/{src,test}/**/*.test.{ts,tsx}', 'tools/**/*.test.ts'], { cwd: root })
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return {
        file,
        text,
        tags: [...text.matchAll(/^\/\/ @module-tag (\w+)/gm)].map(([, tag]) => tag),
      }
    })
}

/** A run of Vitest; `again` runs some places of it alone. */
function vitestRun(name, words, env = {}) {
  const start = (tally, { places, report = name.toLowerCase().replaceAll(' ', '-') } = {}) => {
    const json = join(results, `${report}.json`)
    const args = places === undefined ? words : ['run', '--maxWorkers=1', ...places]
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${json}`]
    const status = npx(['vitest', ...args, ...reporters], env)
    if (existsSync(json)) tally.addVitest(name, JSON.parse(readFileSync(json, 'utf8')))
    return status
  }
  return { name, start }
}

function playwrightRun(words) {
  const name = 'the browser'
  const start = (tally, { places, report = 'browser' } = {}) => {
    const json = join(results, `${report}.json`)
    const second = ['--workers=1', '--output', join(results, 'e2e-second')]
    const args = places === undefined ? words : [...second, ...places]
    const config = ['--config', 'e2e/playwright.config.ts', '--reporter=list,json']
    const status = npx(['playwright', 'test', ...config, ...args], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: json,
    })
    if (existsSync(json)) tally.addPlaywright(name, JSON.parse(readFileSync(json, 'utf8')))
    return status
  }
  return { name, start }
}

function startPython(tally) {
  const xml = join(results, 'python.xml')
  const words = [join(root, 'tools', 'test-python.ts')]
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' })
  tally.addPytest('Python', existsSync(xml) ? readFileSync(xml, 'utf8') : undefined)
  return status
}

/** Performs a run, or some places of it; a status that no failure explains is a failure of its own. */
function perform({ name, start }, tally, again) {
  console.log(again === undefined ? `\nTests on ${name}` : `\nSecond try on ${name}`)
  const before = tally.failures.length
  const title = again === undefined ? `tests on ${name}` : `second try on ${name}`
  const status = timed(title, () => start(tally, again))
  if (status !== 0 && tally.failures.length === before) {
    const message = `It ended with ${status}, though no test failed: an error that no test waited for stands above.`
    tally.failures.push({ run: name, title: 'the run', message })
  }
}

/**
 * Runs what failed once more, alone.
 * @returns what failed first and then passed, which `test-results/unsteady.json` keeps
 */
function tryAgain() {
  const { failures } = tally
  if (failures.length === 0 || failures.length > secondTriesMax) return []
  const unsteady = []
  for (const run of runs) {
    const mine = failures.filter((failure) => failure.run === run.name)
    const places = [...new Set(mine.flatMap(({ place }) => place ?? []))]
    if (places.length === 0) continue
    const second = new TestTally()
    const report = `second-${run.name.toLowerCase().replaceAll(' ', '-')}`
    perform(run, second, { places, report })
    const failsAgain = (place) =>
      second.failures.some((failure) => failure.place === undefined || failure.place === place)
    for (const first of mine) {
      if (first.place === undefined || failsAgain(first.place) || second.passed === 0) continue
      unsteady.push({ first, second: 'passed' })
    }
  }
  writeFileSync(join(results, 'unsteady.json'), `${JSON.stringify(unsteady, undefined, 2)}\n`)
  return unsteady
}

function timed(name, work) {
  const began = performance.now()
  const result = work()
  times.push([name, (performance.now() - began) / 1000])
  return result
}

function npx(words, env) {
  const { status } = spawnSync('npx', ['--no-install', ...words], {
    cwd: root,
    env: { ...process.env, CHROMIUM_PATH: chromium, ...env },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  return status
}
