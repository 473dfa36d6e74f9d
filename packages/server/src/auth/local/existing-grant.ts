import type { Grant, KoaContextWithOIDC } from 'oidc-provider'

/**
 * The grant of a session, made where there is none: the app is our own, so nobody is asked for consent.
 * It is saved at every use, and so outlives everything that is issued on it.
 */
export async function existingGrant(
  { oidc }: KoaContextWithOIDC,
  { api, scope }: { api: string; scope: string },
): Promise<Grant | undefined> {
  const accountId = oidc.session?.accountId
  const clientId = oidc.client?.clientId
  if (accountId === undefined || clientId === undefined) return undefined

  const known = oidc.session?.grantIdFor(clientId)
  const found = known === undefined ? undefined : await oidc.provider.Grant.find(known)
  const grant =
    found?.accountId === accountId ? found : new oidc.provider.Grant({ accountId, clientId })
  grant.addOIDCScope(scope)
  grant.addResourceScope(api, scope)
  await grant.save()
  return grant
}
