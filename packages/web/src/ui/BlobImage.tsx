import { type SyntheticEvent, useEffect, useRef } from 'react'
import { type PictureWidth, pictureWidths } from '@vitrine/contract'
import classes from './BlobImage.module.css'
import { showBlob } from './blob-url.ts'

/** Pixels of the longer side up to which a picture is enlarged with hard edges. */
const smallSide = 64

type Props = {
  blob: Blob
  /** The media type, for a blob that says none of an image. */
  fallbackMime: string
  alt: string
  /** Whether it is as small as a line of a table. */
  thumbnail?: boolean
  /** How it looks instead. */
  className?: string | undefined
  /** Called when the browser cannot show it. */
  onError?: () => void
}

/** An image from memory. As an `img` it runs no script, whatever an SVG may hold. */
export function BlobImage({
  blob,
  fallbackMime,
  alt,
  thumbnail = false,
  className,
  onError,
}: Props) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    if (image.current === null) return
    const typed = blob.type.startsWith('image/') ? blob : new Blob([blob], { type: fallbackMime })
    return showBlob(image.current, typed)
  }, [blob, fallbackMime])
  // A pixel of an icon is meant; blurred, it is lost.
  const onLoad = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => {
    const { naturalWidth, naturalHeight, dataset } = currentTarget
    const isDrawn = (blob.type || fallbackMime).startsWith('image/svg')
    if (!isDrawn && Math.max(naturalWidth, naturalHeight) <= smallSide) dataset['small'] = ''
    else delete dataset['small']
  }
  const look = className ?? (thumbnail ? classes.thumbnail : classes.image)
  return <img ref={image} alt={alt} className={look} onLoad={onLoad} onError={onError} />
}

/** The width of the small picture for a place whose longer side has so many CSS pixels, on this screen. */
export function pictureWidth(side: number): PictureWidth {
  const wanted = side * window.devicePixelRatio
  return pictureWidths.find((width) => width >= wanted) ?? pictureWidths.at(-1)!
}
