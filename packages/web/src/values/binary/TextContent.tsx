import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Json } from '../../ui/Json.tsx'
import { showBytes } from '../../ui/show-amounts.ts'
import classes from './BinaryContent.module.css'
import type { ContentPlace } from './Thumbnail.tsx'

/** Bytes shown at first, and at most; the rest is downloaded. */
const firstBytes = 64 * 1024
const mostBytes = 4 * 1024 * 1024

/** Props of a box that scrolls, which must be in reach of the keyboard (WCAG 2.1.1). */
const scrollable = { tabIndex: 0 }

type Props = {
  place: ContentPlace
  /** In bytes, where it is known. */
  size: number | undefined
  isJson: boolean
}

/** The beginning of a text, or all of it: characters, whatever they say. JSON that is whole is formatted. */
export function TextContent({ place, size, isJson }: Props) {
  const { queries } = useApp()
  const [maxBytes, setMaxBytes] = useState(firstBytes)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...queries.datasetFieldHead(place, maxBytes),
    placeholderData: (before) => before,
  })
  if (error !== null) return <ErrorBox error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <output className={classes.text}>loading...</output>
  const { bytes, mediaType, isWhole } = data
  const text = decodeText(bytes, { mediaType, isWhole })
  const json = isJson && isWhole ? readableJson(text) : undefined
  const canShowMore = maxBytes < mostBytes && (size === undefined || size <= mostBytes)
  return (
    <>
      {json === undefined ? (
        <section className={classes.characters} aria-label={place.fieldName} {...scrollable}>
          <pre dir="auto">{text}</pre>
        </section>
      ) : (
        <Json value={json.value} label={place.fieldName} />
      )}
      {!isWhole && (
        <p className={classes.rest}>
          <span>
            The first {showBytes(bytes.length)}
            {size !== undefined && ` of ${showBytes(size)}`}.
            {!canShowMore && ' Download it to see the rest.'}
          </span>
          {canShowMore && (
            <Button
              variant="default"
              size="compact-sm"
              disabled={isPlaceholderData}
              onClick={() => setMaxBytes(mostBytes)}
            >
              Show all
            </Button>
          )}
        </p>
      )}
    </>
  )
}

/** Byte order marks (https://encoding.spec.whatwg.org/#bom-sniff), which go before what is declared. */
const marks: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
]

/**
 * Decodes bytes by their mark, or the charset that their media type declares, or else as UTF-8. What is no
 * text in it becomes U+FFFD; a character that is cut off at the end is left out where more bytes follow.
 */
export function decodeText(
  bytes: Uint8Array,
  { mediaType = '', isWhole }: { mediaType?: string; isWhole: boolean },
): string {
  const marked = marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1]
  const declared = /;\s*charset="?([\w.:-]+)/i.exec(mediaType)?.[1]
  return decoderOf(marked ?? declared).decode(bytes, { stream: !isWhole })
}

function decoderOf(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}

/**
 * The value that a text of JSON is, to be shown formatted; undefined where it is none, or has a number that
 * a double may not hold and that would be shown as another one.
 */
export function readableJson(text: string): { value: unknown } | undefined {
  if (/\d{16}/.test(text)) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    // Not JSON, or deeper than the parser goes.
    return undefined
  }
}
