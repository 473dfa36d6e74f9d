import { relative } from 'node:path'
import { root } from './root.mjs'

/** Counts what became of tests over several runs: left out is what none of them has run. */
export class TestTally {
  passed = 0
  failed = 0
  /** Of each test that failed, where it stands and what it said. */
  failures = []
  #ran = new Set()
  #skipped = new Map()

  /** Takes the report of Vitest's reporter `json`, with the places of tests. */
  addVitest(engines, { numPassedTests, numFailedTests, testResults }) {
    this.passed += numPassedTests
    this.failed += numFailedTests
    for (const { name, status: ofFile, message, assertionResults } of testResults) {
      const file = relative(root, name)
      if (ofFile === 'failed' && assertionResults.every(({ status }) => status !== 'failed')) {
        this.failures.push(`${file} (${engines})\n${message}`)
      }
      for (const { fullName, status, location, failureMessages } of assertionResults) {
        // Not by its name, in which may be a seed.
        const place = `${file}:${location.line}:${location.column}`
        if (status === 'failed') {
          this.failures.push(`${place} ${fullName} (${engines})\n${failureMessages.join('\n')}`)
        }
        if (status === 'passed' || status === 'failed') this.#ran.add(place)
        else this.#skipped.set(place, `${file}: ${fullName}`)
      }
    }
  }

  /** Takes the report of Playwright's reporter `json`. */
  addPlaywright({ stats, suites, errors }) {
    this.passed += stats.expected
    this.failed += stats.unexpected + stats.flaky
    if (stats.skipped > 0) this.#skipped.set('e2e', `${stats.skipped} in the browser`)
    for (const { message } of errors) this.failures.push(message)
    for (const suite of suites) this.#addSuite(suite)
  }

  /** Takes the report of pytest's `--junit-xml`; undefined where it has written none. */
  addPytest(xml) {
    if (xml === undefined) {
      this.failures.push('python: the tests did not begin')
      return
    }
    const counted = (name) =>
      Number(new RegExp(`<testsuite [^>]*${name}="(\\d+)"`).exec(xml)?.[1] ?? 0)
    const [tests, failed, skipped] = [
      counted('tests'),
      counted('failures') + counted('errors'),
      counted('skipped'),
    ]
    this.passed += tests - failed - skipped
    this.failed += failed
    if (skipped > 0) this.#skipped.set('python', `${skipped} of Python`)
    for (const [, attributes, said] of xml.matchAll(
      /<testcase ([^>]*)>\s*<(?:failure|error)([\s\S]*?)<\/testcase>/g,
    )) {
      this.failures.push(`python: ${attributes}\n${said}`)
    }
  }

  #addSuite({ specs, suites = [] }) {
    for (const { ok, file, line, title, tests } of specs) {
      if (ok) continue
      const said = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))
      const messages = said.map(({ message }) => message)
      this.failures.push(`e2e/${file}:${line} ${title}\n${messages.join('\n')}`)
    }
    for (const suite of suites) this.#addSuite(suite)
  }

  /** The names of the tests that are left out. */
  get leftOut() {
    return [...this.#skipped].filter(([place]) => !this.#ran.has(place)).map(([, name]) => name)
  }
}
