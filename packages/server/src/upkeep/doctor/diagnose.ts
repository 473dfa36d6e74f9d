import { createRevocationCheck } from '../../access/provider/revocations.ts'
import { keysOf, localAudience } from '../../access/provider/open-provider.ts'
import { findProviderSecrets } from '../../access/provider/provider-secrets.ts'
import { localIssuer } from '../../access/provider/clients.ts'
import type { BearerOptions } from '../../access/bearer.ts'
import { remoteKeys } from '../../access/remote-keys.ts'
import { type Config, ConfigError, readConfig } from '../../config.ts'
import type { ExistingStore } from '../../store/open-existing.ts'
import { diagnoseBlobs } from './diagnose-blobs.ts'
import { diagnoseClock } from './diagnose-clock.ts'
import { diagnoseDatabase } from './diagnose-database.ts'
import { diagnoseDisk } from './diagnose-disk.ts'
import { diagnosePersonalToken } from './diagnose-personal-token.ts'
import { diagnoseProvider } from './diagnose-provider.ts'
import { diagnoseServer, publicUrlOf } from './diagnose-server.ts'
import { diagnoseToken } from './diagnose-token.ts'
import { type Diagnosis, ok, skipped, wrong } from './diagnosis.ts'

export type { Diagnosis } from './diagnosis.ts'

/**
 * Looks at everything that an installation depends on, as a server with these variables would find it,
 * whether one runs or not.
 */
export async function* diagnose(
  env: Record<string, string | undefined>,
  { token }: { token?: string | undefined } = {},
): AsyncGenerator<Diagnosis> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const sentence of error.message.split('\n')) {
      const [setting = ''] = sentence.split(' ')
      yield wrong('settings', sentence.replace(/\.$/, ''), setting)
    }
    yield skipped('settings', 'nothing else can be looked at until they can be read')
    return
  }
  yield ok('settings', `can be read; the data folder is ${config.dataDir}`)
  const { line, store } = await diagnoseDatabase(config)
  try {
    yield line
    yield* diagnoseParts(config, store, token)
  } finally {
    await store?.close()
  }
}

async function* diagnoseParts(
  config: Config,
  store: ExistingStore | undefined,
  token: string | undefined,
): AsyncGenerator<Diagnosis> {
  const bucketClock = yield* diagnoseBlobs(config, store)
  yield* diagnoseDisk(config)
  const isAnswering = yield* diagnoseServer(config)

  const publicUrl = publicUrlOf(config)
  const issuer = config.oidc.authority ?? (publicUrl && localIssuer(publicUrl))
  const keys = issuer === undefined ? undefined : remoteKeys(issuer)
  if (
    issuer === undefined ||
    keys === undefined ||
    (config.oidc.authority === undefined && !isAnswering)
  ) {
    yield skipped('provider', 'it is the built-in one, which answers while the server does')
  } else {
    const options = { issuer, publicUrl, checkKeys: keys.check }
    const clock = yield* diagnoseProvider(config, options)
    // The clock of the built-in one is that of the server.
    if (clock !== undefined && config.oidc.authority !== undefined) yield* diagnoseClock(clock)
  }
  if (bucketClock !== undefined) yield* diagnoseClock({ whose: 'the S3 store', ...bucketClock })

  if (token === undefined) return
  if (token.startsWith('vtr_')) {
    if (issuer === undefined || store?.isCurrent !== true) {
      yield skipped('token', 'the database has no personal access tokens yet')
    } else {
      const isBuiltIn = config.oidc.authority === undefined
      const options = { store, issuer, isBuiltIn, isEnabled: config.takesTokens }
      yield await diagnosePersonalToken(token, options)
    }
    return
  }
  const options = await bearerOptions(config, { publicUrl, store })
  if (options === undefined) {
    yield skipped('token', 'the built-in provider has no keys before the first start')
  } else yield* diagnoseToken(token, options)
}

/** Returns the options by which a server with this configuration verifies tokens. */
async function bearerOptions(
  { oidc: { authority, audience, clientId } }: Config,
  { publicUrl, store }: { publicUrl: string | undefined; store: ExistingStore | undefined },
): Promise<BearerOptions | undefined> {
  if (authority !== undefined) {
    return { issuer: authority, audience, clientId, keys: remoteKeys(authority) }
  }
  if (publicUrl === undefined || store === undefined) return undefined
  const secrets = await findProviderSecrets(store.reads)
  if (secrets === undefined) return undefined
  return {
    issuer: localIssuer(publicUrl),
    audience: localAudience({ audience, publicUrl }),
    clientId,
    keys: keysOf(secrets),
    isRevoked: createRevocationCheck(store),
  }
}
