import type { Condition, Exploration, Problem } from '@vitrine/contract'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { explorationSearch, readExploration } from './exploration-search.ts'
import { withLook } from './with-look.ts'

export type Explored = {
  /** Filter and order in the address; empty when it cannot be read. */
  asked: Exploration
  /** Why the address cannot be read. */
  problems: readonly Problem[]
  setWhere: (where: Condition | undefined) => void
  setOrder: (order: string[] | undefined) => void
  clear: () => void
}

/** Keeps filter and order of the items in the address, so that Back and reload restore them. */
export function useExploration(): Explored {
  const [search, setSearch] = useSearchParams()
  const read = useMemo(() => readExploration(search), [search])
  const asked = read.ok ? read.value : nothing
  const ask = (next: Exploration) =>
    setSearch((now) => withLook(explorationSearch(next), now), { preventScrollReset: true })
  return {
    asked,
    problems: read.ok ? [] : read.problems,
    setWhere: (where) => ask({ ...asked, where }),
    setOrder: (order) => ask({ ...asked, order }),
    clear: () => ask(nothing),
  }
}

const nothing: Exploration = {}
