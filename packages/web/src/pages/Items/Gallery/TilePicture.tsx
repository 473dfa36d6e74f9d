import { useQuery } from '@tanstack/react-query'
import { ApiError } from '@vitrine/client'
import { useState } from 'react'
import { useApp } from '../../../app-context.tsx'
import { BlobImage } from '../../../ui/BlobImage.tsx'
import { useComesNear } from '../../../ui/use-comes-near.ts'
import type { ContentPlace } from '../../../values/binary/Thumbnail.tsx'
import classes from './Gallery.module.css'

/** The largest picture that a tile shows: a page of them is 80 MiB, if all of it is looked at. */
const largestBytes = 4 * 1024 ** 2

type Props = { place: ContentPlace; mime: string }

/** A picture in the frame of its tile, or why there is none; it is loaded when it comes near the window. */
export function TilePicture({ place, mime }: Props) {
  const { datasetId, itemId, fieldName } = place
  const { queries } = useApp()
  const { ref, isNear } = useComesNear('200px')
  const { data, error } = useQuery({
    ...queries.datasetFieldGetSmall(datasetId, itemId, fieldName),
    enabled: isNear,
  })
  return (
    <span ref={ref} className={classes.frame}>
      {data === null ? (
        <LargePicture place={place} mime={mime} />
      ) : (
        <Content data={data} error={error} mime={mime} />
      )}
    </span>
  )
}

/** A picture that is not small is loaded when it is in the window. */
function LargePicture({ place: { datasetId, itemId, fieldName }, mime }: Props) {
  const { queries } = useApp()
  const { ref, isNear } = useComesNear('0px')
  const { data, error } = useQuery({
    ...queries.datasetFieldGetWithin(datasetId, itemId, fieldName, largestBytes),
    enabled: isNear,
  })
  return (
    <span ref={ref} className={classes.content}>
      {data === null ? 'large file' : <Content data={data} error={error} mime={mime} />}
    </span>
  )
}

type ContentProps = { data: Blob | undefined | null; error: Error | null; mime: string }

function Content({ data, error, mime }: ContentProps) {
  const [unreadable, setUnreadable] = useState<Blob>()
  if (error !== null) {
    const isDamaged = error instanceof ApiError && error.code === 'VALUE_DAMAGED'
    return isDamaged ? 'damaged' : 'could not be loaded'
  }
  if (data === undefined || data === null) return null
  if (unreadable === data) return 'cannot be shown'
  return (
    <BlobImage
      blob={data}
      fallbackMime={mime}
      alt=""
      thumbnail
      onError={() => setUnreadable(data)}
    />
  )
}
