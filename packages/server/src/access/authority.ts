import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import { ConfigError, type Config } from '../config.ts'
import type { Store } from '../store/store.ts'
import { createBearer } from './bearer.ts'
import type { Authenticate } from './identity.ts'
import { AccountError, addFirstAccount, type Credentials } from './provider/accounts.ts'
import { openLocalProvider } from './provider/open-provider.ts'
import { remoteKeys } from './remote-keys.ts'
import { reportOutages } from './report-outages.ts'

/** Whose tokens are taken. */
export type Authority = {
  issuer: string
  /** Whether it is the built-in provider, whose accounts are in the store. */
  isBuiltIn: boolean
  authenticate: Authenticate
  /** Asks the provider for its keys; rejects with the reason when they cannot be had. */
  check: () => Promise<void>
  /** Whether tokens can be verified, with keys fetched now or before. */
  canVerify: () => boolean
  /** The client that the command line is, where that is not the web app's. */
  cliClientId?: string
  /** The routes of the built-in provider, where it is the authority. */
  routes?: FastifyPluginAsync
  /** The account that was made just now, because the built-in provider had none. */
  firstAccount?: Credentials | undefined
}

/** The authority that the configuration names or, where it names none, the built-in provider. */
export async function openAuthority(
  { oidc, accessTokenSeconds, adminPassword, takesTokens }: Config,
  { store, publicUrl, logger }: { store: Store; publicUrl: string; logger: FastifyBaseLogger },
): Promise<Authority> {
  const { authority: issuer, audience, clientId, scope, groupsClaim } = oidc
  if (issuer !== undefined) {
    const keys = remoteKeys(issuer)
    const authenticate = createBearer({ issuer, audience, clientId, keys, groupsClaim })
    return {
      issuer,
      isBuiltIn: false,
      authenticate: reportOutages(authenticate, { logger }),
      check: keys.check,
      canVerify: keys.areKnown,
    }
  }
  const firstAccount = await addFirstAccount(store, adminPassword).catch((error: unknown) => {
    if (!(error instanceof AccountError)) throw error
    throw new ConfigError(`VITRINE_ADMIN_PASSWORD: ${error.message}`, { cause: error })
  })
  const token = { audience, scope, accessTokenSeconds }
  const options = { store, logger, publicUrl, clientId, ...token, takesTokens }
  return {
    ...(await openLocalProvider(options)),
    isBuiltIn: true,
    check: async () => undefined,
    canVerify: () => true,
    firstAccount,
  }
}
