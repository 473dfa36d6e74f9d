import { expect, type BrowserContext } from '@playwright/test'

export type ConsoleWatch = {
  /** Says which console errors the test brings about. */
  expect: (...patterns: RegExp[]) => void
  /** Fails if the console held an error, or a page an uncaught one, that was not expected. */
  check: () => void
}

/** Collects what browsers report on every page of a context: console errors, warnings, CSP violations. */
export async function watchConsole(context: BrowserContext): Promise<ConsoleWatch> {
  const found: string[] = []
  const expected: RegExp[] = []
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    found.push(`${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => found.push(String(error.error())))
  // Report-only and blocked alike; not every violation is also written to the console.
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`CSP violation: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  return {
    expect: (...patterns) => expected.push(...patterns),
    check: () => {
      const unexpected = found.filter((text) => !expected.some((pattern) => pattern.test(text)))
      expect(unexpected, 'the browser console').toEqual([])
    },
  }
}
