import type { Condition, Exploration, Problem } from '@vitrine/contract'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useApp } from '../app-context.tsx'
import { explorationSearch, readExploration } from '../paths.ts'

export type ExplorationState = {
  /** Filter, order and words in the address, and whether it asks for current items; empty when it cannot be read. */
  exploration: Exploration
  /** Why the address cannot be read. */
  problems: readonly Problem[]
  setWhere: (where: Condition | undefined) => void
  setOrder: (order: string[] | undefined) => void
  /** Looks for words in the same entry of the history, as one types. */
  setWords: (words: string) => void
  /** Leaves out what was replaced or withdrawn, or shows it again. */
  setCurrent: (isCurrent: boolean) => void
  clear: () => void
}

/**
 * Keeps filter, order and words of the items, and whether they are the current ones, in the address, so that Back and
 * reload restore them.
 */
export function useExploration(): ExplorationState {
  const { features } = useApp()
  const [search, setSearch] = useSearchParams()
  const read = useMemo(() => readExploration(search, features), [search, features])
  const exploration = read.ok ? read.value : nothing
  return useMemo(() => {
    const ask = (next: Exploration, { replace = false } = {}) =>
      setSearch((now) => withLook(explorationSearch(next), now), {
        replace,
        preventScrollReset: true,
      })
    return {
      exploration,
      problems: read.ok ? [] : read.problems,
      setWhere: (where) => ask({ ...exploration, where }),
      setOrder: (order) => ask({ ...exploration, order }),
      setWords: (words) =>
        ask({ ...exploration, q: words === '' ? undefined : words }, { replace: true }),
      setCurrent: (isCurrent) => ask({ ...exploration, current: isCurrent || undefined }),
      clear: () => ask(nothing),
    }
  }, [exploration, read, setSearch])
}

const nothing: Exploration = {}

/** Parts of the address of items that say how they are shown, whichever they are. */
const lookNames = ['as', 'picture', 'heads', 'item', 'x', 'y', 'mark']

/** Adds to an address how items are shown at another one. */
function withLook(to: URLSearchParams, from: URLSearchParams): URLSearchParams {
  for (const name of lookNames) {
    const value = from.get(name)
    if (value !== null) to.set(name, value)
  }
  return to
}
