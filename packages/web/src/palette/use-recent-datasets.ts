import { useMemo } from 'react'
import { useAuth } from 'react-oidc-context'

/** The datasets that the one who is signed in opened last in this browser. */
export function useRecentDatasets(): RecentDatasets {
  const user = useAuth().user?.profile.sub ?? ''
  return useMemo(() => createRecentDatasets(localStorage, user), [user])
}

type Keep = Pick<Storage, 'getItem' | 'setItem'>

const most = 8

/** Names of the datasets that one user opened last, the latest first, in a browser's storage. */
export type RecentDatasets = {
  names: () => string[]
  remember: (name: string) => void
  forget: (name: string) => void
}

export function createRecentDatasets(keep: Keep, user: string): RecentDatasets {
  const key = `vitrine.recent.${encodeURIComponent(user)}`
  const names = () => {
    try {
      const stored: unknown = JSON.parse(keep.getItem(key) ?? '[]')
      return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []
    } catch {
      return []
    }
  }
  const write = (names: string[]) => {
    try {
      keep.setItem(key, JSON.stringify(names.slice(0, most)))
    } catch {
      // Storage that is full, or that the browser withholds, costs the list and nothing else.
    }
  }
  const without = (name: string) => names().filter((each) => each !== name)
  return {
    names,
    remember: (name) => write([name, ...without(name)]),
    forget: (name) => write(without(name)),
  }
}
