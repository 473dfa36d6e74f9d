import { hash } from 'node:crypto'
import { type SchemaField, textOf } from '@vitrine/contract'
import type { ColumnKind } from '@vitrine/rows/write/row-writer'
import type { Blobs, ReceivedBlob } from '../blobs/blobs.ts'
import type { Expression, SortKind } from '../store/expressions.ts'
import type { StoredValue } from '../store/items.ts'

/** A byte order mark is a character of the value like any other: the digest is over it too. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * How values are summarized: all by their number and the commonest, texts also by their lengths, numbers and
 * times by a histogram, binaries by media types and sizes.
 */
export type SummaryKind = 'plain' | 'text' | 'number' | 'time' | 'binary'

/** Type of a value in exported files. */
export type ExportedType = {
  kind: ColumnKind
  /** https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html#datatypes */
  croissant: string
}

/** Behaviour of a type in the server, beyond that of the contract. */
export type StoredType = {
  /** Takes in a value while checking it against its field. */
  conform: (
    field: SchemaField,
    sent: Pick<SentValue, 'mime' | 'bytes'>,
    into: { blobs: Blobs; maxBytes: number },
  ) => Promise<Conformed>
  /** Sort key of a cell. */
  sortKey: (cell: Expression, field: SchemaField) => { key: Expression; kind: SortKind }
  exported: ExportedType
  /** Whether a list may have the beginning of a value instead. */
  isCut?: true
  /** How its values are summarized. */
  summary: SummaryKind
}

/** Makes a type whose values are written as text, and ordered as their cells are. */
export function textType({
  sort,
  ...type
}: {
  sort: SortKind
  exported: ExportedType
  summary: SummaryKind
} & Partial<StoredType>): StoredType {
  return {
    conform: (field, { bytes }) => conformText(field, bytes),
    sortKey: (key) => ({ key, kind: sort }),
    ...type,
  }
}

/** Takes in a value that is written as text: it must be the canonical one, which the digest is over. */
async function conformText(field: SchemaField, bytes: SentBytes): Promise<Conformed> {
  const { maxBytes, tooLong, fromText, toCell } = textOf(field)!
  const sent = await readSmallValue(bytes, maxBytes(field))
  if (sent === undefined) return { ok: false, reason: tooLong(field) }
  let text: string
  try {
    text = utf8.decode(sent)
  } catch {
    return { ok: false, reason: 'must be valid UTF-8' }
  }
  const read = fromText(text, field)
  if (!read.ok) return read
  const { type } = field
  const cell = toCell(read.value)
  return { ok: true, value: { type, cell, sha256: hash('sha256', sent), size: sent.length } }
}

/** The bytes of a value as they arrive. Who reads them may leave early, and others read on. */
export type SentBytes = AsyncIterable<Buffer> | Iterable<Buffer>

/** One value on its way in. */
export type SentValue = {
  name: string
  /** The media type that the sender names; undefined where it names none. */
  mime: string | undefined
  bytes: SentBytes
}

/** A value that conforms to its field, or the reason why it does not. */
export type Conformed =
  { ok: true; value: StoredValue; blob?: ReceivedBlob } | { ok: false; reason: string }

/** Reads a short value; undefined where it is longer than `maxBytes`. */
async function readSmallValue(bytes: SentBytes, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
