/** Where the built-in provider is served; its issuer is this path of the public URL. */
export const realmPath = '/realms/local'

/** The built-in provider's issuer. */
export function localIssuer(publicUrl: string): string {
  return `${publicUrl}${realmPath}`
}
