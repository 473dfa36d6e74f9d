import type { ClientMetadata, KoaContextWithOIDC } from 'oidc-provider'

/** The id of the command line as a client, beside that of the web app. */
export function cliClientIdOf(clientId: string): string {
  return `${clientId}-cli`
}

const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The product's own two clients, both public: the web app and the command line. */
export function providerClients({
  clientId,
  publicUrl,
}: {
  clientId: string
  publicUrl: string
}): ClientMetadata[] {
  const siteRoot = `${publicUrl}/`
  const common = {
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    id_token_signed_response_alg: 'RS256',
  } as const
  return [
    {
      ...common,
      client_id: clientId,
      client_name: 'Vitrine',
      application_type: 'web',
      redirect_uris: [siteRoot],
      post_logout_redirect_uris: [siteRoot],
    },
    {
      ...common,
      client_id: cliClientIdOf(clientId),
      client_name: 'Vitrine command line',
      application_type: 'native',
      // On whichever port was free (RFC 8252 §7.3).
      redirect_uris: [`${loopback}/callback`],
      grant_types: [...common.grant_types, deviceCodeGrant],
    },
  ]
}

/** Redirect address of the command line while it signs in, without its port. */
export const loopback = 'http://127.0.0.1'

/** Whether a request comes from a program of the person's computer, whose identity is not assured. */
export function isNative({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.client?.applicationType === 'native'
}

/** Path of the built-in provider; its issuer is this path of the public URL. */
export const realmPath = '/realms/local'

/** The built-in provider's issuer. */
export function localIssuer(publicUrl: string): string {
  return `${publicUrl}${realmPath}`
}
