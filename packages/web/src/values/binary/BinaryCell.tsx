import { plainText } from '@vitrine/contract'
import { Hash } from '../../ui/Hash.tsx'
import type { CellValue } from '../value.ts'
import classes from './BinaryCell.module.css'
import { Thumbnail } from './Thumbnail.tsx'

export function BinaryCell({ field: { mime = '' }, value, content }: CellValue) {
  const isImage = mime.startsWith('image/') && content !== undefined
  return (
    <span className={classes.binary}>
      {isImage && <Thumbnail place={content} mime={mime} />}
      <Hash sha256={plainText(value)} />
      {!isImage && <span className={classes.mime}>{mime}</span>}
    </span>
  )
}
