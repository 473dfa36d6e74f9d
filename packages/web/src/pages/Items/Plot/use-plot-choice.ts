import type { DatasetInfo } from '@vitrine/contract'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { plotChoice } from './plot-choice.ts'

/** What the address asks to be plotted, and the way to another plot. */
export function usePlotChoice(info: DatasetInfo) {
  const [search, setSearch] = useSearchParams()
  const choice = useMemo(() => plotChoice(info, search), [info, search])
  const change = (parts: { x: string; mark?: string | undefined }) =>
    setSearch(
      (now) => {
        const changed = new URLSearchParams(now)
        for (const name of ['x', 'mark'] as const) {
          const part = parts[name]
          if (part === undefined) changed.delete(name)
          else changed.set(name, part)
        }
        return changed
      },
      { replace: true, preventScrollReset: true },
    )
  return { choice, change }
}
