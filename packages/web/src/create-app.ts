import { createClient } from '@vitrine/client'
import type { RuntimeConfig } from '@vitrine/contract'
import { hasAuthParams } from 'react-oidc-context'
import type { App } from './app-context.tsx'
import { BrowserSession } from './auth/browser-session.ts'
import { createSession } from './auth/session.ts'
import { signInSettings } from './auth/settings.ts'
import { TabAwareUserManager } from './auth/TabAwareUserManager.ts'
import { createQueries } from './data/queries.ts'
import { ScreenCommands } from './palette/screen-commands.ts'
import { createQueryClient } from './data/query-client.ts'

/** Parts of the app; `browserSession` and `userManager` are for its root only. */
export type CreatedApp = {
  app: App
  userManager: TabAwareUserManager
  browserSession: BrowserSession
}

/** Puts together what lives as long as the page. */
export async function createApp(config: RuntimeConfig): Promise<CreatedApp> {
  const userManager = new TabAwareUserManager(signInSettings(config, window.location.origin))
  const browserSession = new BrowserSession()
  if (browserSession.hasEnded()) {
    browserSession.leave()
    await userManager.removeUser()
  }
  userManager.listen()
  userManager.onSignOut = () => {
    browserSession.end()
    // Values that were looked at. `keepalive`, as the page is left; without an answer, signing out goes on.
    void fetch('/clear-cache', { method: 'POST', keepalive: true }).catch(() => undefined)
  }
  const session = createSession({ userManager, browserSession })
  // A callback brings a user of its own, or is that of a hidden frame.
  if (!hasAuthParams()) await session.resume()
  const queryClient = createQueryClient(session)
  userManager.events.addUserUnloaded(() => queryClient.clear())
  const client = createClient({
    baseUrl: config.apiBaseUrl,
    token: () => session.token(),
    onUnauthorized: () => session.unauthorized(),
    // A screen says at once what is wrong, and offers to try again.
    retries: 0,
  })
  const { features, maxUploadBytes, authority } = config
  const accountUrl = features.includes('account') ? `${authority}/account` : undefined
  const queries = createQueries(client, features)
  const commands = new ScreenCommands()
  const app = {
    client,
    queries,
    queryClient,
    session,
    commands,
    features,
    maxUploadBytes,
    accountUrl,
  }
  return { app, userManager, browserSession }
}
