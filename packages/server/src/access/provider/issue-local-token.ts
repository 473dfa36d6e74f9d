import { randomUUID } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import { findAccountNamed } from '../../store/accounts.ts'
import type { Store } from '../../store/store.ts'
import { AccountError, accountName } from './accounts.ts'
import { providerSecrets } from './provider-secrets.ts'

/**
 * Issues an access token of the built-in provider to an account without its password, for programs on
 * the machine that keeps the data folder: whoever can read that folder can read its keys.
 * @throws AccountError when there is no such account
 */
export async function issueLocalToken(
  store: Store,
  to: {
    username: string
    issuer: string
    audience: string
    clientId: string
    scope: string
    /** How long it is good for. */
    seconds: number
  },
): Promise<string> {
  const name = accountName(to.username)
  const account = await findAccountNamed(store.reads, name)
  if (account === undefined) throw new AccountError(`There is no account ${name}.`)
  const { accessTokenKey: key } = await providerSecrets(store)
  // RFC 9068 §2: what the provider itself puts into its access tokens.
  return new SignJWT({ client_id: to.clientId, scope: to.scope, preferred_username: name })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid! })
    .setIssuer(to.issuer)
    .setAudience(to.audience)
    .setSubject(account.id)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${to.seconds} seconds`)
    .sign(await importJWK(key, 'ES256'))
}
