type Keep = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Keeps what was typed on a screen until it was taken by the server. */
export type DraftStore = {
  read: <T>(screen: string, parse: (stored: unknown) => T | undefined) => T | undefined
  write: (screen: string, draft: unknown) => void
  clear: (screen: string) => void
}

/**
 * Drafts of one user in a browser's storage. Storage that is full, or that the browser withholds,
 * costs the draft and nothing else.
 */
export function createDraftStore(keep: Keep, user: string): DraftStore {
  const key = (screen: string) => `vitrine.draft.${encodeURIComponent(user)}.${screen}`
  return {
    read: (screen, parse) => {
      try {
        const stored = keep.getItem(key(screen))
        return stored === null ? undefined : parse(JSON.parse(stored))
      } catch {
        return undefined
      }
    },
    write: (screen, draft) => {
      try {
        keep.setItem(key(screen), JSON.stringify(draft))
      } catch {
        // A draft that cannot be kept is no reason to disturb the typing.
      }
    },
    clear: (screen) => keep.removeItem(key(screen)),
  }
}
