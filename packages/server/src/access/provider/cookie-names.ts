/**
 * The provider's cookies. On https a browser takes them from this host alone, over https alone (RFC 6265bis
 * §4.1.3). Those of one sign-in are bound to its path, so that two can be under way, which `__Host-` does
 * not let them be.
 */
export function cookieNames(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:')
  const host = isSecure ? '__Host-' : ''
  const secure = isSecure ? '__Secure-' : ''
  return {
    isSecure,
    session: `${host}vitrine_session`,
    knownBrowser: `${host}vitrine_known_browser`,
    interaction: `${secure}vitrine_interaction`,
    resume: `${secure}vitrine_resume`,
  }
}
