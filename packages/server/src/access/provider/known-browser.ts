import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * A cookie that says that somebody has signed in to an account with this browser. It signs nobody in:
 * attempts with it are throttled apart, so that nobody else can keep that person out by failing.
 */
export type KnownBrowsers = {
  /**
   * Returns the key by which a browser's attempts at an account are counted; undefined where the account
   * does not know the browser.
   */
  find: (cookies: string | undefined, accountId: string) => string | undefined
  /** The `Set-Cookie` header after a sign-in. */
  remember: (accountId: string) => string
}

/** Lifetime of the cookie: the longest that browsers keep one (RFC 6265bis §5.5). */
const keptSeconds = 400 * 24 * 3600

export function knownBrowsers({
  publicUrl,
  key,
}: {
  publicUrl: string
  key: string
}): KnownBrowsers {
  const { knownBrowser: name, isSecure } = cookieNames(publicUrl)
  const words = (accountId: string, id: string) => ['known browser', accountId, id]
  return {
    find: (cookies, accountId) => {
      for (const cookie of cookies?.split(/; */) ?? []) {
        const [, id = '', signature = ''] =
          /^([\w-]{22})\.([\w-]{43})$/.exec(valueOf(cookie, name)) ?? []
        if (isSignature(signature, key, words(accountId, id))) return `browser ${id}`
      }
      return undefined
    },
    remember: (accountId) => {
      const id = randomBytes(16).toString('base64url')
      const attributes = `Path=/; Max-Age=${keptSeconds}; HttpOnly; SameSite=Lax`
      return `${name}=${id}.${signature(key, words(accountId, id))}; ${attributes}${isSecure ? '; Secure' : ''}`
    },
  }
}

function valueOf(cookie: string, name: string): string {
  return cookie.startsWith(`${name}=`) ? cookie.slice(name.length + 1) : ''
}

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

/** Signs words, none of which has a space in it but the first, which says what the signature is for. */
export function signature(key: string, words: string[]): string {
  return createHmac('sha256', key).update(words.join(' ')).digest('base64url')
}

export function isSignature(candidate: string, key: string, words: string[]): boolean {
  const [one, other] = [Buffer.from(candidate), Buffer.from(signature(key, words))]
  return one.length === other.length && timingSafeEqual(one, other)
}
