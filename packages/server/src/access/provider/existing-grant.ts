import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import { isNative } from './clients.ts'

/**
 * The grant of a session, made where there is none: the app is our own, so nobody is asked for consent.
 * It is saved at every use, and so outlives everything that is issued on it. Every sign-in of the
 * command line has a grant of its own, as revoking a token ends its grant.
 */
export async function existingGrant(
  ctx: KoaContextWithOIDC,
  { api, scope }: { api: string; scope: string },
): Promise<Grant | undefined> {
  const { oidc } = ctx
  const accountId = oidc.session?.accountId
  const clientId = oidc.client?.clientId
  if (accountId === undefined || clientId === undefined) return undefined

  const known = isNative(ctx) ? undefined : oidc.session?.grantIdFor(clientId)
  const found = known === undefined ? undefined : await oidc.provider.Grant.find(known)
  const grant =
    found?.accountId === accountId ? found : new oidc.provider.Grant({ accountId, clientId })
  grant.addOIDCScope(scope)
  grant.addResourceScope(api, scope)
  await grant.save()
  return grant
}
