/** Path of the built-in provider; its issuer is this path of the public URL. */
export const realmPath = '/realms/local'

/** The built-in provider's issuer. */
export function localIssuer(publicUrl: string): string {
  return `${publicUrl}${realmPath}`
}
