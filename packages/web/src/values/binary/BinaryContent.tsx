import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Queries } from '../../data/queries.ts'
import { BlobImage } from '../../ui/BlobImage.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import classes from './BinaryContent.module.css'

type Props = { query: ReturnType<Queries['datasetFieldGet']>; mime: string; alt: string }

/** Loads the content of a binary field and shows it if it is an image. */
export function BinaryContent({ query, mime, alt }: Props) {
  const isImage = mime.startsWith('image/')
  const { data, error, refetch } = useQuery({ ...query, enabled: isImage })
  useEffect(() => {
    if (error !== null) console.error('The content of an item could not be loaded', error)
  }, [error])

  if (!isImage) return <p className={classes.text}>mime type not supported</p>
  if (data !== undefined) return <BlobImage blob={data} fallbackMime={mime} alt={alt} />
  if (error !== null) return <ErrorBox error={error} onRetry={() => void refetch()} />
  return <output className={classes.text}>loading...</output>
}
