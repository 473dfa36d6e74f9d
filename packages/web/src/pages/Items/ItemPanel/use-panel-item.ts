import { useMediaQuery } from '@mantine/hooks'
import type { DatasetInfo } from '@vitrine/contract'
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { scrollStays } from '../../../ui/kept-scroll.ts'
import { pageSearch } from '../../../ui/paging.ts'
import { useItemsLook } from '../use-items-look.ts'

/** Windows in which a table leaves room beside it. */
const wide = '(min-width: 68.75rem)'

export type PanelItem = {
  /** There is a table, in a window that is wide enough. */
  isOffered: boolean
  /** Undefined where no item is shown beside the table. */
  id: string | undefined
  /** Shows an item, of another page if one is given; without an id nothing is shown any more. */
  show: (id: string | undefined, page?: number) => void
}

/** Reads the item that is shown beside the table: `item` in the address. */
export function usePanelItem(info: DatasetInfo | undefined): PanelItem {
  const { look } = useItemsLook(info)
  const isWide = useMediaQuery(wide, undefined, { getInitialValueInEffect: false }) ?? false
  const [search, setSearch] = useSearchParams()
  const show = useCallback(
    (id: string | undefined, page?: number) =>
      setSearch(
        (now) => {
          const changed = new URLSearchParams(
            page === undefined ? now : pageSearch(String(now), page),
          )
          if (id === undefined) changed.delete('item')
          else changed.set('item', id)
          return changed
        },
        { replace: true, preventScrollReset: true, state: scrollStays },
      ),
    [setSearch],
  )
  const isOffered = isWide && look === 'table'
  const id = search.get('item') ?? undefined
  return { isOffered, id: isOffered ? id : undefined, show }
}
