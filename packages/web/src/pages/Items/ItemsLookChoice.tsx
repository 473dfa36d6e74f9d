import { IconChartDots, IconPhoto, IconTable } from '@tabler/icons-react'
import type { DatasetInfo } from '@vitrine/contract'
import { useCommands } from '../../palette/screen-commands.ts'
import { LookChoice } from '../../ui/LookChoice.tsx'
import { useItemsLook } from './use-items-look.ts'

const looks = [
  { look: 'table', name: 'Table', Icon: IconTable },
  { look: 'gallery', name: 'Gallery', Icon: IconPhoto },
  { look: 'plot', name: 'Plot', Icon: IconChartDots },
] as const

/** The choice between table, gallery and plot, of those that a dataset has. */
export function ItemsLookChoice({ info }: { info: DatasetInfo | undefined }) {
  const { look, choose, has } = useItemsLook(info)
  const offered = looks.filter((each) => has(each.look))
  useCommands(
    offered
      .filter((each) => each.look !== look)
      .map((each) => ({ label: `Show as ${each.look}`, run: () => choose(each.look) })),
  )
  if (offered.length < 2) return null
  return <LookChoice looks={offered} chosen={look} onChoose={choose} size="1.875rem" />
}
