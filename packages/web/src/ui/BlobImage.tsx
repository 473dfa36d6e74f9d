import { useEffect, useRef } from 'react'
import classes from './BlobImage.module.css'
import { showBlob } from './show-blob.ts'

type Props = {
  blob: Blob
  /** The media type, for a blob that says none of an image. */
  fallbackMime: string
  alt: string
  /** As small as a line of a table. */
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
  const look = className ?? (thumbnail ? classes.thumbnail : classes.image)
  return <img ref={image} alt={alt} className={look} onError={onError} />
}
