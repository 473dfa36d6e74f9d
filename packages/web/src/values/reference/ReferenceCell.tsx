import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { CellLink } from '../../ui/RowLink.tsx'
import { TextCell } from '../TextCell.tsx'
import type { CellValue } from '../value.ts'
import classes from './ReferenceCell.module.css'

export function ReferenceCell({ field: { target }, value }: CellValue) {
  const { features } = useApp()
  if (target === undefined) return <TextCell value={value} />
  const id = Number(value)
  return (
    <CellLink to={paths.item(target, id)}>
      {features.includes('labels') ? <Labelled target={target} id={id} /> : id}
    </CellLink>
  )
}

/** The label of an item with its id beside it, as wide before it is loaded as after. */
function Labelled({ target, id }: { target: string; id: number }) {
  const { queries } = useApp()
  const { data: label } = useQuery(queries.datasetLabel(target, id))
  return (
    <span className={classes.labelled} title={label ?? undefined}>
      <span className={classes.label} dir="auto">
        {label}
      </span>{' '}
      <span className={classes.id}>{id}</span>
    </span>
  )
}
