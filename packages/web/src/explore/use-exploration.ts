import type { Condition, Exploration, Problem } from '@vitrine/contract'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useApp } from '../app-context.tsx'
import { explorationSearch, readExploration } from './exploration-search.ts'
import { withLook } from './with-look.ts'

export type Explored = {
  /** Filter, order and words in the address; empty when it cannot be read. */
  asked: Exploration
  /** Why the address cannot be read. */
  problems: readonly Problem[]
  setWhere: (where: Condition | undefined) => void
  setOrder: (order: string[] | undefined) => void
  /** Looks for words in the same entry of the history, as one types. */
  setWords: (words: string) => void
  clear: () => void
}

/** Keeps filter, order and words of the items in the address, so that Back and reload restore them. */
export function useExploration(): Explored {
  const { features } = useApp()
  const [search, setSearch] = useSearchParams()
  const read = useMemo(() => readExploration(search, features), [search, features])
  const asked = read.ok ? read.value : nothing
  return useMemo(() => {
    const ask = (next: Exploration, { replace = false } = {}) =>
      setSearch((now) => withLook(explorationSearch(next), now), {
        replace,
        preventScrollReset: true,
      })
    return {
      asked,
      problems: read.ok ? [] : read.problems,
      setWhere: (where) => ask({ ...asked, where }),
      setOrder: (order) => ask({ ...asked, order }),
      setWords: (words) =>
        ask({ ...asked, q: words === '' ? undefined : words }, { replace: true }),
      clear: () => ask(nothing),
    }
  }, [asked, read, setSearch])
}

const nothing: Exploration = {}
