const key = 'vitrine.returnTo'

/** The path that a text leads to on this site; nothing if it leads elsewhere or to the site root. */
export function sameSitePath(text: string, origin: string): string | undefined {
  if (!text.startsWith('/') || !URL.canParse(text, origin)) return undefined
  const url = new URL(text, origin)
  if (url.origin !== origin) return undefined
  const path = url.pathname + url.search + url.hash
  // A path such as //host would be read as another site when it is resolved again.
  return path === '/' || path.startsWith('//') ? undefined : path
}

/** Keeps the page that was asked for until after sign-in, which ends at the site root. */
export function keepReturnPath(location: Pick<Location, 'pathname' | 'search' | 'hash'>): void {
  const path = location.pathname + location.search + location.hash
  if (sameSitePath(path, window.location.origin) !== undefined) sessionStorage.setItem(key, path)
}

export function readReturnPath(): string | undefined {
  const stored = sessionStorage.getItem(key)
  return stored === null ? undefined : sameSitePath(stored, window.location.origin)
}

export function forgetReturnPath(): void {
  sessionStorage.removeItem(key)
}
