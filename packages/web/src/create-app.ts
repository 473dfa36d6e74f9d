import { createClient } from '@vitrine/client'
import type { RuntimeConfig } from '@vitrine/contract'
import type { App } from './app-context.tsx'
import { createSession } from './auth/session.ts'
import { signInSettings } from './auth/settings.ts'
import { TabAwareUserManager } from './auth/TabAwareUserManager.ts'
import { createQueries } from './queries.ts'
import { createQueryClient } from './query-client.ts'

/** Puts together what lives as long as the page. */
export function createApp(config: RuntimeConfig): { app: App; userManager: TabAwareUserManager } {
  const userManager = new TabAwareUserManager(signInSettings(config, window.location.origin))
  userManager.listen()
  const session = createSession(userManager)
  const queryClient = createQueryClient(session)
  userManager.events.addUserUnloaded(() => queryClient.clear())
  const client = createClient({
    baseUrl: config.apiBaseUrl,
    token: () => session.token(),
    onUnauthorized: () => session.unauthorized(),
    // A screen says at once what is wrong, and offers to try again.
    retries: 0,
  })
  const { features, maxUploadBytes } = config
  const queries = createQueries(client, features)
  return { app: { client, queries, queryClient, session, features, maxUploadBytes }, userManager }
}
