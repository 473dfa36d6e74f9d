import { useEffect, useMemo } from 'react'
import { useAuth } from 'react-oidc-context'

/** When the one who is signed in was here before this tab was opened, in milliseconds. */
export function useLastVisit(): number | undefined {
  const user = useAuth().user?.profile.sub ?? ''
  const { since, note } = useMemo(() => {
    const visit = createLastVisit({ tab: sessionStorage, browser: localStorage }, user)
    return { since: visit.since(), note: visit.note }
  }, [user])
  useEffect(() => note(Date.now()), [note])
  return since
}

type Keep = Pick<Storage, 'getItem' | 'setItem'>

export type LastVisit = {
  /** When somebody was here before this tab began, in milliseconds; undefined at the first visit. */
  since: () => number | undefined
  /** Notes that they are here now. */
  note: (now: number) => void
}

/** Remembers the visits of one user in a browser's storage, and in a tab's what was known when it began. */
export function createLastVisit(
  { tab, browser }: { tab: Keep; browser: Keep },
  user: string,
): LastVisit {
  const name = encodeURIComponent(user)
  const [sinceKey, visitKey] = [`vitrine.since.${name}`, `vitrine.visit.${name}`]
  const stored = () => tab.getItem(sinceKey) ?? browser.getItem(visitKey) ?? ''
  return {
    since: () => {
      try {
        const since = stored()
        return /^\d+$/.test(since) ? Number(since) : undefined
      } catch {
        return undefined
      }
    },
    note: (now) => {
      try {
        tab.setItem(sinceKey, stored())
        browser.setItem(visitKey, String(now))
      } catch {
        // Storage that is full, or that the browser withholds, costs the marks and nothing else.
      }
    },
  }
}
