import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../config.ts'
import type { Store } from '../store/store.ts'
import { createBearer } from './bearer.ts'
import type { Authenticate } from './identity.ts'
import { addFirstAccount, type Credentials } from './local/accounts.ts'
import { openLocalProvider } from './local/open-provider.ts'
import { remoteKeys } from './remote-keys.ts'

/** Whose tokens are taken. */
export type Authority = {
  issuer: string
  authenticate: Authenticate
  /** The client that the command line is, where that is not the web app's. */
  cliClientId?: string
  /** What the built-in provider serves, where it is the authority. */
  routes?: FastifyPluginAsync
  /** The account that was made just now, because the built-in provider had none. */
  firstAccount?: Credentials | undefined
}

/** The authority that the configuration names or, where it names none, the built-in provider. */
export async function openAuthority(
  { oidc, accessTokenSeconds, adminPassword }: Config,
  { store, publicUrl }: { store: Store; publicUrl: string },
): Promise<Authority> {
  const { authority: issuer, audience, clientId, scope } = oidc
  if (issuer !== undefined) {
    const keys = remoteKeys(issuer)
    return { issuer, authenticate: createBearer({ issuer, audience, clientId, keys }) }
  }
  const firstAccount = await addFirstAccount(store, adminPassword)
  const options = { store, publicUrl, clientId, audience, scope, accessTokenSeconds }
  return { ...(await openLocalProvider(options)), firstAccount }
}
