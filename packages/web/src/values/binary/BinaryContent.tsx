import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { BlobImage } from '../../ui/BlobImage.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { showBytes } from '../../ui/show-amounts.ts'
import classes from './BinaryContent.module.css'
import { TextContent } from './TextContent.tsx'
import type { ContentPlace } from './Thumbnail.tsx'
import { showBlob } from '../../ui/blob-url.ts'

/** Sound, films and PDFs are held in memory to be shown; what is larger is downloaded. */
const heldBytes = 256 * 1024 * 1024

type Props = {
  place: ContentPlace
  mime: string
  /** In bytes, where it is known. */
  size: number | undefined
  /** How a picture or a film looks instead. */
  className?: string | undefined
}

/**
 * Loads the content of a binary field and shows it: as an image, and where the server announces `media`, as
 * sound, a film, a PDF or text. Whatever it says of itself, nothing in it runs in this page.
 */
export function BinaryContent({ place, mime, size, className }: Props) {
  const { queries, features } = useApp()
  const { datasetId, itemId, fieldName } = place
  const shownKind = contentKind(mime)
  const kind = shownKind === 'image' || features.includes('media') ? shownKind : undefined
  const isText = kind === 'text' || kind === 'json'
  const isTooLarge = kind !== 'image' && size !== undefined && size > heldBytes
  const { data, error, refetch } = useQuery({
    ...queries.datasetFieldGet(datasetId, itemId, fieldName),
    enabled: kind !== undefined && !isText && !isTooLarge,
  })
  useEffect(() => {
    if (error !== null) console.error('The content of an item could not be loaded', error)
  }, [error])

  if (kind === undefined) return <p className={classes.text}>mime type not supported</p>
  if (isText) return <TextContent place={place} size={size} isJson={kind === 'json'} />
  if (isTooLarge) {
    return (
      <p className={classes.text}>
        Too large to be shown here, at more than {showBytes(heldBytes)}. Download it.
      </p>
    )
  }
  if (error !== null) return <ErrorBox error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <output className={classes.text}>loading...</output>
  if (kind === 'image')
    return <BlobImage blob={data} fallbackMime={mime} alt={fieldName} className={className} />
  if (kind === 'pdf') return <PdfContent blob={data} label={fieldName} />
  return (
    <MediaContent
      blob={data}
      kind={kind}
      mime={mime}
      label={fieldName}
      className={kind === 'video' ? className : undefined}
    />
  )
}

type MediaProps = {
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
function MediaContent({ blob, kind, mime, label, className }: MediaProps) {
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

/**
 * A PDF is opened in a tab of its own, which knows nothing of this page. Its scripts may ask and tell in
 * dialogs, and a frame that could keep them out shows no PDF at all (docs/decisions/web.md).
 */
function PdfContent({ blob, label }: { blob: Blob; label: string }) {
  const link = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    // Of this type it is never read as a page.
    const url = URL.createObjectURL(blob.slice(0, blob.size, 'application/pdf'))
    link.current!.href = url
    return () => URL.revokeObjectURL(url)
  }, [blob])
  return (
    <p className={classes.text}>
      {/* Its `href` is set above, once there is an address. */}
      {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid */}
      <a ref={link} target="_blank" rel="noopener noreferrer">
        Open {label} in a new tab
      </a>
    </p>
  )
}

/** Kinds in which the content of a binary value is shown. */
export type ContentKind = 'image' | 'audio' | 'video' | 'pdf' | 'json' | 'text'

/** Media types that are text, beside `text/*` and those that end in `+xml` or `+json`. */
const textTypes = ['application/xml', 'application/yaml', 'application/x-ndjson']

/**
 * How a media type is shown; undefined where it is not. What has scripts or looks elsewhere, as HTML, is
 * text: it is read, never run.
 */
export function contentKind(mime: string): ContentKind | undefined {
  const essence = mime.toLowerCase().replace(/;.*$/, '').trim()
  const [type] = essence.split('/')
  if (type === 'image' || type === 'audio' || type === 'video') return type
  if (essence === 'application/pdf') return 'pdf'
  if (essence === 'application/json' || essence.endsWith('+json')) return 'json'
  const isText = type === 'text' || essence.endsWith('+xml') || textTypes.includes(essence)
  return isText ? 'text' : undefined
}
