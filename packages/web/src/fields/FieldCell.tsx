import type { Item, ShownField } from '@vitrine/contract'
import { paths } from '../paths.ts'
import { Hash } from '../ui/Hash.tsx'
import { CellLink } from '../ui/RowLink.tsx'
import classes from './FieldCell.module.css'

type Props = { field: ShownField; value: Item['data'][string] | undefined }

/** A value in a cell of the items table, on one line. */
export function FieldCell({ field, value }: Props) {
  if (value === undefined) return <span className={classes.absent}>–</span>
  if (field.type === 'reference' && field.target !== undefined) {
    return <CellLink to={paths.item(field.target, value)}>{value}</CellLink>
  }
  if (field.type === 'binary') {
    return (
      <span className={classes.binary}>
        <Hash sha256={String(value)} />
        <span className={classes.mime}>{field.mime}</span>
      </span>
    )
  }
  const text = String(value)
  return (
    <span className={classes.text} title={text}>
      {text}
    </span>
  )
}
