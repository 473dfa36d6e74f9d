import type { DatasetInfo, ShownField } from '@vitrine/contract'
import { useSearchParams } from 'react-router'
import { pictureFields } from '../picture-fields.ts'

export type PictureField = {
  /** Fields of pictures, the usual one first. */
  fields: readonly ShownField[]
  field: ShownField | undefined
  choose: (name: string) => void
}

/** Reads the field whose pictures are shown: the one in the address, or else the usual one. */
export function usePictureField(info: DatasetInfo | undefined): PictureField {
  const [search, setSearch] = useSearchParams()
  const fields = info === undefined ? [] : pictureFields(info)
  const field = fields.find(({ name }) => name === search.get('picture')) ?? fields[0]
  const choose = (name: string) =>
    setSearch(
      (now) => {
        const changed = new URLSearchParams(now)
        if (name === fields[0]?.name) changed.delete('picture')
        else changed.set('picture', name)
        return changed
      },
      { replace: true, preventScrollReset: true },
    )
  return { fields, field, choose }
}
