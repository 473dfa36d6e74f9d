import { relative } from 'node:path'
import { root } from './root.mjs'

/**
 * @typedef {object} Failure
 * @property {string} run the name of the run, such as `SQLite and files`
 * @property {string} [place] `file:line` relative to the root, or `file` where a whole file failed to load; missing
 *   where a run failed by itself, as by an error that no test waited for
 * @property {string} title
 * @property {string} message
 */

/** Results of several runs: counts, failures, and the tests that no run has run. */
export class TestTally {
  passed = 0
  skipped = 0
  /** @type {Failure[]} */
  failures = []
  #ran = new Set()
  #skipped = new Map()

  /** Adds a report of Vitest's reporter `json`, with the locations of tests. */
  addVitest(run, { numPassedTests, numPendingTests, numTodoTests, testResults }) {
    this.passed += numPassedTests
    this.skipped += numPendingTests + numTodoTests
    for (const { name, status: fileStatus, message, assertionResults } of testResults) {
      const file = relative(root, name)
      if (fileStatus === 'failed' && assertionResults.every(({ status }) => status !== 'failed')) {
        this.failures.push({ run, place: file, title: 'the file', message })
      }
      for (const { fullName, status, location, failureMessages } of assertionResults) {
        // The name may have a seed in it.
        const key = `${file}:${location.line}:${location.column}`
        if (status === 'failed') {
          const place = `${file}:${location.line}`
          this.failures.push({ run, place, title: fullName, message: failureMessages.join('\n') })
        }
        if (status === 'passed' || status === 'failed') this.#ran.add(key)
        else this.#skipped.set(key, `${file}: ${fullName}`)
      }
    }
  }

  /** Adds a report of Playwright's reporter `json`. */
  addPlaywright(run, { stats, suites, errors }) {
    this.passed += stats.expected
    this.skipped += stats.skipped
    if (stats.skipped > 0) this.#skipped.set('e2e', `${stats.skipped} in the browser`)
    for (const { message } of errors) this.failures.push({ run, title: 'the run', message })
    for (const suite of suites) this.#addSuite(run, suite)
  }

  /** Adds a report of pytest's `--junit-xml`; undefined where pytest has written none. */
  addPytest(run, xml) {
    if (xml === undefined) {
      this.failures.push({ run, title: 'the run', message: 'The tests did not begin.' })
      return
    }
    const count = (name) =>
      Number(new RegExp(`<testsuite [^>]*${name}="(\\d+)"`).exec(xml)?.[1] ?? 0)
    const skipped = count('skipped')
    this.passed += count('tests') - count('failures') - count('errors') - skipped
    this.skipped += skipped
    if (skipped > 0) this.#skipped.set('python', `${skipped} of Python`)
    for (const [, title, message] of xml.matchAll(
      /<testcase ([^>]*)>\s*<(?:failure|error)([\s\S]*?)<\/testcase>/g,
    )) {
      this.failures.push({ run, title, message })
    }
  }

  #addSuite(run, { specs, suites = [] }) {
    for (const { ok, file, line, title, tests } of specs) {
      if (ok) continue
      const errors = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))
      const message = errors.map(({ message }) => message).join('\n')
      this.failures.push({ run, place: `e2e/${file}:${line}`, title, message })
    }
    for (const suite of suites) this.#addSuite(run, suite)
  }

  /** Names of the tests that no run has run. */
  get neverRun() {
    return [...this.#skipped].filter(([key]) => !this.#ran.has(key)).map(([, name]) => name)
  }
}
