import { test as base } from '@playwright/test'
import { createClient, type Client } from '@vitrine/client'
import { watchConsole, type ConsoleWatch } from './console-watch.ts'
import { launchProcesses } from './launch-processes.ts'
import { launchServer, type LaunchedServer } from './launch-server.ts'
import { startOtherServer, type OtherServer } from './other-server.ts'
import { signIn, storedUser } from './sign-in.ts'

export { expect } from '@playwright/test'

export type WorkerOptions = {
  /** How many processes an installation has. */
  processes: number
}

type WorkerFixtures = WorkerOptions & {
  /** The server that the tests of one worker share; whoever disturbs it launches another. */
  server: LaunchedServer
  /** The administrator, signed in once through the provider's page. */
  account: { token: string; session: [string, string][] }
}

type Fixtures = {
  /** Whether pages open as those of a user who is signed in already. */
  signedIn: boolean
  /** The product's own client, to prepare data with. */
  client: Client
  /** Launches a server for this test alone. */
  launch: (env?: Record<string, string>) => Promise<LaunchedServer>
  /** Launches a server whose replies this test alters. */
  launchOther: () => Promise<OtherServer>
  /** Console errors that the test brings about; any other fails it. */
  console: ConsoleWatch
}

/**
 * Tests begin signed in: each tab finds the session storage that signing in has left. Those that are
 * about signing in, or launch a server of their own, use `signedOut`.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  processes: [1, { option: true, scope: 'worker' }],
  server: [
    async ({ processes }, provide) => {
      const server = await launchInstallation(processes, { VITRINE_ACCESS_TOKEN_SECONDS: '86400' })
      await provide(server)
      await server.remove()
    },
    { scope: 'worker' },
  ],
  account: [
    async ({ browser, server }, provide) => {
      const page = await browser.newPage()
      await signIn(page, server.url)
      const { access_token: token } = await storedUser(page)
      // Not when it was that this account was here last.
      const session = await page.evaluate(() =>
        Object.entries<string>(sessionStorage).filter(([key]) => !key.startsWith('vitrine.since.')),
      )
      await page.close()
      await provide({ token, session })
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, provide) => provide(server.url),
  signedIn: [true, { option: true }],
  context: async ({ context, account, server, signedIn }, provide) => {
    if (signedIn) {
      await context.addInitScript(
        ({ origin, session }) => {
          if (location.origin !== origin || sessionStorage.length > 0) return
          for (const [key, value] of session) sessionStorage.setItem(key, value)
        },
        { origin: server.url, session: account.session },
      )
    }
    await provide(context)
  },
  client: async ({ server, account }, provide) => {
    await provide(createClient({ baseUrl: server.url, token: () => account.token }))
  },
  launch: async ({ processes }, provide) => {
    const launched: LaunchedServer[] = []
    await provide(async (env) => {
      const server = await launchInstallation(processes, env)
      launched.push(server)
      return server
    })
    for (const server of launched) await server.remove()
  },
  // Playwright reads what a fixture needs from the pattern of its first parameter.
  // oxlint-disable-next-line no-empty-pattern
  launchOther: async ({}, provide) => {
    const started: OtherServer[] = []
    await provide(async () => {
      const other = await startOtherServer()
      started.push(other)
      return other
    })
    for (const other of started) await other.close()
  },
  console: [
    // Checked before the launched servers end: what a page misses after that is no fault.
    async ({ context, launch: _launch, launchOther: _launchOther }, provide) => {
      const watch = await watchConsole(context)
      await provide(watch)
      watch.check()
    },
    { auto: true },
  ],
})

function launchInstallation(
  processes: number,
  env?: Record<string, string>,
): Promise<LaunchedServer> {
  return processes === 1 ? launchServer(env) : launchProcesses(processes, env)
}

/** For `test.use`: nobody is signed in. */
export const signedOut = { signedIn: false }

let names = 0

/** A name that no other test uses. */
export function newName(word: string): string {
  names += 1
  return `${word}-${process.pid}-${names}`
}
