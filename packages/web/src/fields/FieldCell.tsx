import type { Item, ShownField } from '@vitrine/contract'
import { paths } from '../paths.ts'
import { Hash } from '../ui/Hash.tsx'
import { CellLink } from '../ui/RowLink.tsx'
import classes from '../values/binary/BinaryCell.module.css'
import { Thumbnail, type ContentPlace } from '../values/binary/Thumbnail.tsx'

type Props = {
  field: ShownField
  value: Item['data'][string] | undefined
  /** Where the bytes of a binary value are, if they can be had. */
  content: ContentPlace | undefined
}

/** A value in a cell of the items table, on one line. */
export function FieldCell({ field, value, content }: Props) {
  if (value === undefined) return <span className={classes.absent}>–</span>
  if (field.type === 'reference' && field.target !== undefined) {
    return <CellLink to={paths.item(field.target, value)}>{value}</CellLink>
  }
  if (field.type === 'binary') {
    const { mime = '' } = field
    const isImage = mime.startsWith('image/') && content !== undefined
    return (
      <span className={classes.binary}>
        {isImage && <Thumbnail place={content} mime={mime} />}
        <Hash sha256={String(value)} />
        {!isImage && <span className={classes.mime}>{mime}</span>}
      </span>
    )
  }
  const text = String(value)
  return (
    <span className={classes.text} title={text} dir="auto">
      {text}
    </span>
  )
}
