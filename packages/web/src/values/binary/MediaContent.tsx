import { useEffect, useRef, useState } from 'react'
import { showBlob } from '../../ui/show-blob.ts'
import classes from './BinaryContent.module.css'

type Props = {
  blob: Blob
  kind: 'audio' | 'video'
  mime: string
  label: string
  /** How it looks instead. */
  className?: string | undefined
}

/**
 * Sound or a film from memory, with the browser's own controls. In these elements nothing but a decoder of
 * media sees the bytes.
 */
export function MediaContent({ blob, kind, mime, label, className }: Props) {
  const [isUnfit, setUnfit] = useState(false)
  const media = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    return media.current === null
      ? undefined
      : showBlob(media.current, blob.slice(0, blob.size, mime))
  }, [blob, mime])
  if (isUnfit) return <p className={classes.text}>mime type not supported</p>
  const Kind = kind
  return (
    <Kind
      ref={media}
      controls
      preload="metadata"
      aria-label={label}
      className={className ?? classes[kind]}
      onError={() => setUnfit(true)}
    />
  )
}
