import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { CellLink } from '../../ui/RowLink.tsx'
import { TextCell } from '../TextCell.tsx'
import type { CellValue } from '../value.ts'
import { ItemHoverCard } from './ItemHoverCard.tsx'
import { LabelledId } from './LabelledId.tsx'

export function ReferenceCell({ field: { target }, value, words }: CellValue) {
  const { features } = useApp()
  if (target === undefined) return <TextCell value={value} />
  const id = Number(value)
  if (!features.includes('labels')) return <CellLink to={paths.item(target, id)}>{id}</CellLink>
  return (
    <ItemHoverCard target={target} id={id}>
      <CellLink to={paths.item(target, id)}>
        <LabelledId target={target} id={id} isExplained words={words} />
      </CellLink>
    </ItemHoverCard>
  )
}
