import { useQuery } from '@tanstack/react-query'
import { IconPhoto } from '@tabler/icons-react'
import { useApp } from '../../app-context.tsx'
import { BlobImage } from '../../ui/BlobImage.tsx'
import classes from './Thumbnail.module.css'

/** The address of a value's bytes. */
export type ContentPlace = { datasetId: string; itemId: number; fieldName: string }

/** A thumbnail as high as a table row. Large files are not loaded. */
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
