import { useElementSize, useMergedRef } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApp } from '../../../app-context.tsx'
import { pictureWidth } from '../../../ui/BlobImage.tsx'
import { useComesNear } from '../../../ui/use-comes-near.ts'
import type { ContentPlace } from '../../../values/binary/Thumbnail.tsx'
import classes from './Gallery.module.css'
import { PictureContent } from './PictureContent.tsx'

/** The largest value that a tile shows itself: a page of them is 80 MiB, if all of it is looked at. */
const largestBytes = 4 * 1024 ** 2

type Props = {
  place: ContentPlace
  mime: string
  /** How its frame looks instead. */
  className?: string | undefined
}

/** A picture in the frame of its tile, or why there is none; it is loaded when it comes near the window. */
export function TilePicture({ place, mime, className = classes.frame }: Props) {
  const { queries } = useApp()
  const { ref, isNear } = useComesNear('200px')
  const { ref: sized, width: side } = useElementSize<HTMLSpanElement>()
  const { data, error, refetch } = useQuery({
    ...queries.datasetPictureGet(place, { mime, width: pictureWidth(side) }),
    enabled: isNear && side > 0,
    // Until there is one for a tile that has grown.
    placeholderData: keepPreviousData,
  })
  return (
    <span ref={useMergedRef(ref, sized)} className={className}>
      {data === null ? (
        <LargePicture place={place} mime={mime} />
      ) : (
        <PictureContent
          data={data}
          error={error}
          mime={mime}
          alt=""
          className={classes.picture}
          onRetry={() => void refetch()}
        />
      )}
    </span>
  )
}

/** A value that is not small, and of which there is no small picture, is loaded when it is in the window. */
function LargePicture({ place: { datasetId, itemId, fieldName }, mime }: Props) {
  const { queries } = useApp()
  const { ref, isNear } = useComesNear('0px')
  const { data, error, refetch } = useQuery({
    ...queries.datasetFieldGetWithin(datasetId, itemId, fieldName, largestBytes),
    enabled: isNear,
  })
  return (
    <span ref={ref} className={classes.content}>
      <PictureContent
        data={data}
        error={error}
        mime={mime}
        alt=""
        className={classes.picture}
        onRetry={() => void refetch()}
      />
    </span>
  )
}
