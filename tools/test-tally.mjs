import { relative } from 'node:path'
import { root } from './root.mjs'

/** Counts what became of tests over several runs: left out is what none of them has run. */
export class TestTally {
  passed = 0
  failed = 0
  #ran = new Set()
  #skipped = new Map()

  /** Takes the report of Vitest's reporter `json`, with the places of tests. */
  addVitest({ numPassedTests, numFailedTests, testResults }) {
    this.passed += numPassedTests
    this.failed += numFailedTests
    for (const { name, assertionResults } of testResults) {
      const file = relative(root, name)
      for (const { fullName, status, location } of assertionResults) {
        // Not by its name, in which may be a seed.
        const place = `${file}:${location.line}:${location.column}`
        if (status === 'passed' || status === 'failed') this.#ran.add(place)
        else this.#skipped.set(place, `${file}: ${fullName}`)
      }
    }
  }

  /** Takes the report of Playwright's reporter `json`. */
  addPlaywright({ stats }) {
    this.passed += stats.expected
    this.failed += stats.unexpected + stats.flaky
    if (stats.skipped > 0) this.#skipped.set('e2e', `${stats.skipped} in the browser`)
  }

  /** The names of the tests that are left out. */
  get leftOut() {
    return [...this.#skipped].filter(([place]) => !this.#ran.has(place)).map(([, name]) => name)
  }
}
