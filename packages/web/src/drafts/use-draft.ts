import { useEffect, useMemo, useState } from 'react'
import { useAuth } from 'react-oidc-context'
import { useApp } from '../app-context.tsx'

export type Draft<T> = {
  value: T
  /** Changes the draft and keeps it; undefined means that there is nothing to keep. */
  change: (value: T | undefined) => void
  /** Whether the value was there when the screen opened. */
  restored: boolean
  /** Forgets what is kept, and that it was restored; the value stays. */
  settle: () => void
}

/**
 * Keeps the input of a screen in this tab, across a reload and a sign-in, for the same user. While there
 * is input, the end of a session shows a notice and does not leave the page.
 */
export function useDraft<T>(
  screen: string,
  empty: T,
  parse: (stored: unknown) => T | undefined,
): Draft<T> {
  const { session } = useApp()
  const user = useAuth().user?.profile.sub ?? ''
  const store = useMemo(() => createDraftStore(sessionStorage, user), [user])
  const [stored] = useState(() => store.read(screen, parse))
  const [value, setValue] = useState(stored ?? empty)
  const [restored, setRestored] = useState(stored !== undefined)
  const [typed, setTyped] = useState(stored !== undefined)

  useEffect(() => (typed ? session.hold() : undefined), [typed, session])

  const forget = () => {
    store.clear(screen)
    setTyped(false)
  }
  return {
    value,
    restored,
    change: (next) => {
      setValue(next ?? empty)
      if (next === undefined) return forget()
      store.write(screen, next)
      setTyped(true)
    },
    settle: () => {
      setRestored(false)
      forget()
    },
  }
}

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
