import { useEffect, useMemo, useState } from 'react'
import { useAuth } from 'react-oidc-context'
import { useApp } from '../app-context.tsx'
import { createDraftStore } from './draft-store.ts'

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
  const [kept] = useState(() => store.read(screen, parse))
  const [value, setValue] = useState(kept ?? empty)
  const [restored, setRestored] = useState(kept !== undefined)
  const [typed, setTyped] = useState(kept !== undefined)

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
