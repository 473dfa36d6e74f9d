import { useQueryClient } from '@tanstack/react-query'
import type { Feature, DatasetInfo, SealedItem, ShownField } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import { showBytes } from '../../ui/show-amounts.ts'
import { BinaryContent, contentKind } from '../../values/binary/BinaryContent.tsx'
import { DownloadButton } from '../../values/binary/DownloadButton.tsx'
import { pictureFields } from '../Items/picture-fields.ts'
import classes from './Showcase.module.css'

/** The largest value that is loaded unasked, as in the viewer of a gallery. */
const largestBytes = 64 * 1024 ** 2

/**
 * The field that an item's page shows large and at once: the cover, else the first picture, sound or film that has a
 * value. Until the item is known, the first that may have one. Other servers' contents are shown on request, as
 * specified.
 */
export function showcaseField(
  info: DatasetInfo | undefined,
  item: SealedItem | undefined,
  features: readonly Feature[],
): ShownField | undefined {
  if (info === undefined || !features.includes('media')) return undefined
  const played = info.schema.filter(({ type, mime = '' }) => {
    const kind = contentKind(mime)
    return type === 'binary' && (kind === 'audio' || kind === 'video')
  })
  return [...pictureFields(info), ...played].find(
    ({ name }) =>
      item === undefined ||
      (item.data[name] !== undefined && (item.integrity?.[name]?.size ?? 0) <= largestBytes),
  )
}

type Props = { datasetId: string; itemId: string; field: ShownField; item: SealedItem | undefined }

/** A picture, sound or film of an item, in a frame whose height is the same before it is loaded. */
export function Showcase({ datasetId, itemId, field, item }: Props) {
  const { queries } = useApp()
  const queryClient = useQueryClient()
  const { name, type } = field
  const seal = item?.integrity?.[name]
  const mime = seal?.mime ?? field.mime ?? ''
  return (
    <figure className={classes.showcase} data-kind={contentKind(mime)}>
      <div className={classes.frame}>
        {item && (
          <BinaryContent
            key={`${datasetId}/${itemId}/${name}`}
            place={{ datasetId, itemId: item.id, fieldName: name }}
            mime={mime}
            size={seal?.size}
            className={classes.content}
          />
        )}
      </div>
      <figcaption className={classes.caption}>
        <span>
          <span className={classes.name}>{name}</span> {type}
        </span>
        <DownloadButton
          content={() => queryClient.fetchQuery(queries.datasetFieldGet(datasetId, itemId, name))}
          fileName={`${datasetId}-${itemId}-${name}`}
        />
        <span className={classes.facts}>
          {item && `mime type ${mime}`}
          {seal && `, ${showBytes(seal.size)}`}
        </span>
      </figcaption>
    </figure>
  )
}
