import type { DatasetInfo } from '@vitrine/contract'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { plotChoice } from './plot-choice.ts'

/** Parts of a plot in the address. */
export type PlotParts = { x: string; y?: string | undefined; mark?: string | undefined }

/** Reads the plot in the address; returns how to change it. */
export function usePlotChoice(info: DatasetInfo) {
  const [search, setSearch] = useSearchParams()
  const choice = useMemo(() => plotChoice(info, search), [info, search])
  const change = (parts: PlotParts) =>
    setSearch(
      (now) => {
        const changed = new URLSearchParams(now)
        for (const name of ['x', 'y', 'mark'] as const) {
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
