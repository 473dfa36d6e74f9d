import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApp } from '../../app-context.tsx'
import { BlobImage } from '../../ui/BlobImage.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { showBytes } from '../../ui/show-amounts.ts'
import classes from './BinaryContent.module.css'
import { contentKind } from './content-kind.ts'
import { MediaContent } from './MediaContent.tsx'
import { PdfContent } from './PdfContent.tsx'
import { TextContent } from './TextContent.tsx'
import type { ContentPlace } from './Thumbnail.tsx'

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
  const known = contentKind(mime)
  const kind = known === 'image' || features.includes('media') ? known : undefined
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
