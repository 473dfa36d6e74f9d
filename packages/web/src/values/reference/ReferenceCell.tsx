import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { CellLink } from '../../ui/RowLink.tsx'
import { TextCell } from '../TextCell.tsx'
import type { CellValue } from '../value.ts'
import { ItemHoverCard } from './ItemHoverCard.tsx'
import { LabelledId } from './LabelledId.tsx'
import { unreadable } from './missing-references.ts'

export function ReferenceCell({ field: { target }, value, words }: CellValue) {
  const { features } = useApp()
  if (target === undefined) return <TextCell value={value} />
  const id = Number(value)
  if (!features.includes('labels')) return <CellLink to={paths.item(target, id)}>{id}</CellLink>
  return <LabelledCell target={target} id={id} words={words} />
}

type Props = { target: string; id: number; words: CellValue['words'] }

/** Links to an item by its label. One in a dataset that somebody may not read is an id that leads nowhere. */
function LabelledCell({ target, id, words }: Props) {
  const { queries } = useApp()
  const isHidden = useQuery(queries.datasetLabel(target, id)).data === false
  const label = <LabelledId target={target} id={id} isExplained words={words} />
  if (isHidden) return <span title={unreadable(target)}>{label}</span>
  return (
    <ItemHoverCard target={target} id={id}>
      <CellLink to={paths.item(target, id)}>{label}</CellLink>
    </ItemHoverCard>
  )
}
