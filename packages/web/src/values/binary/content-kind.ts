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
