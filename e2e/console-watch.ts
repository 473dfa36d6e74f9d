import { expect, type BrowserContext } from '@playwright/test'

export type ConsoleWatch = {
  /** Says which console errors the test brings about. */
  expect: (...patterns: RegExp[]) => void
  /** Fails if the console held an error, or a page an uncaught one, that was not expected. */
  check: () => void
}

/** Messages of a browser for a request to a server that was killed: before it came, or while it was answered. */
export const lostConnection =
  /net::ERR_(?:CONNECTION_(?:REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|INCOMPLETE_CHUNKED_ENCODING)/

/** Chromium judges by its clock that what was asked for ahead came too early, as on a machine with other work. */
const judgedByTime = /was preloaded using link preload but not used within a few seconds/

/** Collects what browsers report on every page of a context: console errors, warnings, CSP violations. */
export async function watchConsole(context: BrowserContext): Promise<ConsoleWatch> {
  const found: string[] = []
  const expected: RegExp[] = []
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (judgedByTime.test(message.text())) return
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
