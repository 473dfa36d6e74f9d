import { useMemo } from 'react'
import { useAuth } from 'react-oidc-context'
import { createRecentDatasets, type RecentDatasets } from './recent-datasets.ts'

/** The datasets that the one who is signed in opened last in this browser. */
export function useRecentDatasets(): RecentDatasets {
  const user = useAuth().user?.profile.sub ?? ''
  return useMemo(() => createRecentDatasets(localStorage, user), [user])
}
