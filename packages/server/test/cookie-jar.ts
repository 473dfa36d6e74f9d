/** Keeps cookies as a browser does, as far as their paths and their ends go. */
export class CookieJar {
  #cookies = new Map<string, { value: string; path: string }>()
  /** User agent. */
  userAgent: string | undefined

  /** A fetch that sends and keeps cookies, and follows nothing. */
  fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    const cookies = this.headerFor(url)
    if (cookies !== '') headers.set('cookie', cookies)
    if (this.userAgent !== undefined) headers.set('user-agent', this.userAgent)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return response
  }

  /** The value of `Cookie` in a request to an address. */
  headerFor(url: string): string {
    const { pathname } = new URL(url)
    const sent = [...this.#cookies].filter(([, { path }]) => within(path, pathname))
    return sent.map(([key, { value }]) => `${nameOf(key)}=${value}`).join('; ')
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(/; */)
    const [name = '', value = ''] = pair.split(/=(.*)/)
    const attribute = (wanted: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.split('=')[1]
    const path = attribute('path') ?? '/'
    const expires = attribute('expires')
    const key = `${name} ${path}`
    this.#cookies.delete(key)
    const ended = value === '' || (expires !== undefined && Date.parse(expires) < Date.now())
    if (!ended) this.#cookies.set(key, { value, path })
  }
}

function nameOf(key: string): string {
  return key.split(' ')[0]!
}

/** RFC 6265 §5.1.4. */
function within(path: string, pathname: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}
