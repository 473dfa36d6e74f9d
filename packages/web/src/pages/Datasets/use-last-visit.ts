import { useEffect, useMemo } from 'react'
import { useAuth } from 'react-oidc-context'
import { createLastVisit } from './last-visit.ts'

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
