import { useQuery } from '@tanstack/react-query'
import { IconPhoto } from '@tabler/icons-react'
import { useApp } from '../../app-context.tsx'
import { BlobImage, pictureWidth } from '../../ui/BlobImage.tsx'
import classes from './Thumbnail.module.css'

/** The address of a value's bytes. */
export type ContentPlace = { datasetId: string; itemId: number; fieldName: string }

/** The longer side of its frame, in CSS pixels where letters have the usual size. */
const side = 40

/** A thumbnail as high as a table row. Large files of which there is no small picture are not loaded. */
export function Thumbnail({ place, mime }: { place: ContentPlace; mime: string }) {
  const { queries } = useApp()
  const { data, isError } = useQuery(
    queries.datasetPictureGet(place, { mime, width: pictureWidth(side) }),
  )
  return (
    <span className={classes.frame} aria-hidden>
      {data instanceof Blob && <BlobImage blob={data} fallbackMime={mime} alt="" thumbnail />}
      {(data === null || isError) && <IconPhoto size={16} stroke={1.6} />}
    </span>
  )
}
