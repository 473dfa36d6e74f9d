import type { DatasetInfo } from '@vitrine/contract'
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { pictureFields } from './picture-fields.ts'

export type ItemsLook = 'table' | 'gallery'

/**
 * Whether items are a table or a gallery, as the address says. The server must announce `labels`, by which
 * pictures have captions, and the dataset must have pictures.
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
  const mayHave = features.includes('labels') && (!info || pictureFields(info).length > 0)
  const look: ItemsLook = mayHave && search.get('as') === 'gallery' ? 'gallery' : 'table'
  return { look, choose, hasGallery: mayHave && info !== undefined }
}
