import { ApiError } from '@vitrine/client'
import { useState } from 'react'
import { BlobImage } from '../../../ui/BlobImage.tsx'
import classes from './Gallery.module.css'

type Props = {
  /** Null for one that is too large to be loaded. */
  data: Blob | null | undefined
  error: Error | null
  mime: string
  alt: string
  className: string | undefined
  /** Loads again what could not be loaded. */
  onRetry?: () => void
}

/** A picture as far as it is loaded, or in two words why it is not shown. */
export function PictureContent({ data, error, mime, alt, className, onRetry }: Props) {
  const [unreadable, setUnreadable] = useState<Blob>()
  if (error !== null) {
    const isDamaged = error instanceof ApiError && error.code === 'VALUE_DAMAGED'
    if (isDamaged) return 'damaged'
    return (
      <span>
        could not be loaded
        {onRetry !== undefined && (
          <button type="button" className={classes.retry} onClick={onRetry}>
            Retry
          </button>
        )}
      </span>
    )
  }
  if (data === null) return 'large file'
  if (data === undefined) return null
  if (unreadable === data) return 'cannot be shown'
  return (
    <BlobImage
      blob={data}
      fallbackMime={mime}
      alt={alt}
      className={className}
      onError={() => setUnreadable(data)}
    />
  )
}
