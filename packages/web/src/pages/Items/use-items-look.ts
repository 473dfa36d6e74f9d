import type { DatasetInfo, Feature } from '@vitrine/contract'
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { pictureFields } from './picture-fields.ts'

export type ItemsLook = 'table' | 'gallery' | 'plot'

const featuresOfPlot: readonly Feature[] = ['summary', 'explore', 'export-explored']

/**
 * Whether items are a table, a gallery or a plot, as the address says. For a gallery the server must announce
 * `labels`, by which pictures have captions, and the dataset must have pictures.
 */
export function useItemsLook(info: DatasetInfo | undefined) {
  const { features } = useApp()
  const [search, setSearch] = useSearchParams()
  const choose = useCallback(
    (look: ItemsLook) =>
      setSearch(
        (now) => {
          const changed = new URLSearchParams(now)
          if (look === 'table') changed.delete('as')
          else changed.set('as', look)
          return changed
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearch],
  )
  const mayHave: Record<ItemsLook, boolean> = {
    table: true,
    gallery: features.includes('labels') && (!info || pictureFields(info).length > 0),
    plot: featuresOfPlot.every((feature) => features.includes(feature)),
  }
  const name = search.get('as')
  const look: ItemsLook = name === 'gallery' || name === 'plot' ? name : 'table'
  return {
    look: mayHave[look] ? look : 'table',
    choose,
    /** Whether items can be shown so; whether there are pictures is known with the fields, or asked for. */
    has: (look: ItemsLook) =>
      mayHave[look] && (info !== undefined || look !== 'gallery' || name === 'gallery'),
  }
}
