import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { CellLink } from '../../ui/RowLink.tsx'
import { TextCell } from '../TextCell.tsx'
import type { CellValue } from '../value.ts'
import { LabelledId } from './LabelledId.tsx'

export function ReferenceCell({ field: { target }, value }: CellValue) {
  const { features } = useApp()
  if (target === undefined) return <TextCell value={value} />
  const id = Number(value)
  return (
    <CellLink to={paths.item(target, id)}>
      {features.includes('labels') ? <LabelledId target={target} id={id} /> : id}
    </CellLink>
  )
}
