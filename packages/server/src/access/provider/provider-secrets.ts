import { randomBytes } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { addProviderKey, findProviderKey } from '../../store/provider.ts'
import type { Db, Store } from '../../store/store.ts'

/** The provider's keys: made at the first start, kept from then on. */
export type ProviderSecrets = {
  /** Private key of ID tokens: RS256, which every client knows (OpenID Connect Core 1.0 §15.1). */
  idTokenKey: JWK
  /** Private key of access tokens, another one, so that no ID token can pass for one of them. */
  accessTokenKey: JWK
  cookieKeys: string[]
}

const name = 'secrets'

/** Returns undefined before the first start. */
export async function findProviderSecrets(db: Db): Promise<ProviderSecrets | undefined> {
  const stored = await findProviderKey(db, name)
  return stored === undefined ? undefined : (JSON.parse(stored) as ProviderSecrets)
}

export async function providerSecrets(store: Store): Promise<ProviderSecrets> {
  const stored = await findProviderSecrets(store.reads)
  if (stored !== undefined) return stored

  const made: ProviderSecrets = {
    idTokenKey: await makeKey('RS256'),
    accessTokenKey: await makeKey('ES256'),
    cookieKeys: [randomBytes(32).toString('base64url')],
  }
  await store.write((transaction) =>
    addProviderKey(transaction, { name, value: JSON.stringify(made) }),
  )
  // Of two processes that start together, both take what the first has kept.
  return providerSecrets(store)
}

async function makeKey(alg: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  const key = await exportJWK(privateKey)
  return { ...key, alg, use: 'sig', kid: await calculateJwkThumbprint(key) }
}

/** The public half of an elliptic key. */
export function publicKey({ kty, crv, x, y, kid, alg, use }: JWK): JWK {
  return { kty, crv, x, y, kid, alg, use }
}
