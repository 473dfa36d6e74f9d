import { IconPhoto, IconTable } from '@tabler/icons-react'
import type { DatasetInfo } from '@vitrine/contract'
import { useCommands } from '../../palette/screen-commands.ts'
import { LookChoice } from '../../ui/LookChoice.tsx'
import { useItemsLook } from './use-items-look.ts'

const looks = [
  { look: 'table', name: 'Table', Icon: IconTable },
  { look: 'gallery', name: 'Gallery', Icon: IconPhoto },
] as const

/** The choice between table and gallery, where a dataset has both. */
export function ItemsLookChoice({ info }: { info: DatasetInfo | undefined }) {
  const { look, choose, hasGallery } = useItemsLook(info)
  useCommands(
    looks
      .filter((each) => hasGallery && each.look !== look)
      .map((each) => ({ label: `Show as ${each.look}`, run: () => choose(each.look) })),
  )
  if (!hasGallery) return null
  return <LookChoice looks={looks} chosen={look} onChoose={choose} size="1.875rem" />
}
