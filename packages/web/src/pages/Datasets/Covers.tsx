import { useQuery } from '@tanstack/react-query'
import { IconPhoto } from '@tabler/icons-react'
import type { Cover } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import { BlobImage, pictureWidth } from '../../ui/BlobImage.tsx'
import { useComesNear } from '../../ui/use-comes-near.ts'
import classes from './Covers.module.css'

type Props = {
  datasetId: string
  covers: readonly Cover[]
  /** Whether they fill their container, not a line of a table. */
  large?: boolean
}

/** The pictures that stand for a dataset, in boxes that are there before them. */
export function Covers({ datasetId, covers, large = false }: Props) {
  return (
    <span className={classes.covers} data-large={large || undefined} aria-hidden>
      {covers.map((cover) => (
        <Picture key={cover.itemId} datasetId={datasetId} cover={cover} />
      ))}
    </span>
  )
}

/** Factor by which a picture exceeds the square of its longer side: it is cut to fill its box. */
const cutOff = 1.5

/** Loaded when it comes near the window; large files of which there is no small picture are not. */
function Picture({ datasetId, cover }: { datasetId: string; cover: Cover }) {
  const { queries } = useApp()
  const { ref, isNear, side } = useComesNear('200px')
  const { itemId, fieldName, mime } = cover
  const { data, isError } = useQuery({
    ...queries.datasetPictureGet(
      { datasetId, itemId, fieldName },
      { mime, width: pictureWidth(side * cutOff) },
    ),
    enabled: isNear,
  })
  return (
    <span ref={ref} className={classes.picture}>
      {data instanceof Blob && <BlobImage blob={data} fallbackMime="image/png" alt="" thumbnail />}
      {(data === null || isError) && <IconPhoto size={16} stroke={1.6} />}
    </span>
  )
}
