import type { Item, ShownField } from '@vitrine/contract'
import { paths } from '../../../paths.ts'
import { RowLink } from '../../../ui/RowLink.tsx'
import classes from './Gallery.module.css'
import { TilePicture } from './TilePicture.tsx'

type Props = { datasetId: string; item: Item; caption: string; field: ShownField | undefined }

/** A picture with the name of its item, to which it leads. */
export function Tile({ datasetId, item: { id, data }, caption, field }: Props) {
  return (
    <li className={classes.tile}>
      {field === undefined || data[field.name] === undefined ? (
        <span className={classes.frame}>no picture</span>
      ) : (
        <TilePicture
          key={field.name}
          place={{ datasetId, itemId: id, fieldName: field.name }}
          mime={field.mime ?? ''}
        />
      )}
      <RowLink to={paths.item(datasetId, id)}>
        <span dir="auto" className={classes.caption} title={caption}>
          {caption}
        </span>
      </RowLink>
    </li>
  )
}
