import { useQuery } from '@tanstack/react-query'
import { IconPhoto } from '@tabler/icons-react'
import { useApp } from '../../app-context.tsx'
import { BlobImage } from '../../ui/BlobImage.tsx'
import classes from './Thumbnail.module.css'

/** Where the bytes of a value are. */
export type ContentPlace = { datasetId: string; itemId: number; fieldName: string }

/** An image as small as a line of a table; one that is large in bytes is not loaded for that. */
export function Thumbnail({ place, mime }: { place: ContentPlace; mime: string }) {
  const { datasetId, itemId, fieldName } = place
  const { queries } = useApp()
  const { data, isError } = useQuery(queries.datasetFieldGetSmall(datasetId, itemId, fieldName))
  return (
    <span className={classes.frame} aria-hidden>
      {data instanceof Blob && <BlobImage blob={data} fallbackMime={mime} alt="" thumbnail />}
      {(data === null || isError) && <IconPhoto size={16} stroke={1.6} />}
    </span>
  )
}
