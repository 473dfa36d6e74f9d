import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { cookieNames } from './cookie-names.ts'

/**
 * A cookie that says that somebody has signed in to an account with this browser. It signs nobody in:
 * attempts with it are throttled apart, so that nobody else can keep that person out by failing.
 */
export type KnownBrowsers = {
  /** What attempts of a request at an account are counted by; undefined for a browser not known to it. */
  find: (cookies: string | undefined, accountId: string) => string | undefined
  /** The `Set-Cookie` header after a sign-in. */
  remember: (accountId: string) => string
}

/** As long as browsers keep cookies at most (RFC 6265bis §5.5). */
const keptSeconds = 400 * 24 * 3600

export function knownBrowsers({
  publicUrl,
  key,
}: {
  publicUrl: string
  key: string
}): KnownBrowsers {
  const { knownBrowser: name, isSecure } = cookieNames(publicUrl)
  const sign = (accountId: string, id: string) =>
    createHmac('sha256', key).update(`known browser ${accountId} ${id}`).digest('base64url')
  return {
    find: (cookies, accountId) => {
      for (const cookie of cookies?.split(/; */) ?? []) {
        const [, id = '', signature = ''] =
          /^([\w-]{22})\.([\w-]{43})$/.exec(valueOf(cookie, name)) ?? []
        if (isEqual(signature, sign(accountId, id))) return `browser ${id}`
      }
      return undefined
    },
    remember: (accountId) => {
      const id = randomBytes(16).toString('base64url')
      const attributes = `Path=/; Max-Age=${keptSeconds}; HttpOnly; SameSite=Lax`
      return `${name}=${id}.${sign(accountId, id)}; ${attributes}${isSecure ? '; Secure' : ''}`
    },
  }
}

function valueOf(cookie: string, name: string): string {
  return cookie.startsWith(`${name}=`) ? cookie.slice(name.length + 1) : ''
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
