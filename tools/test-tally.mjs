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
