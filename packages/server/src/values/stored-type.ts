import { type SchemaField, textOf } from '@vitrine/contract'
import type { ColumnKind } from '@vitrine/rows/row-writer'
import type { Blobs } from '../blobs/blobs.ts'
import { digitsOf, type Expression, type SortKind } from '../store/expressions.ts'
import type { Conformed, SentValue } from './conformed.ts'
import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { readSmallValue } from './read-small-value.ts'

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
  /** The canonical text of a cell. */
  text: (cell: Expression) => Expression
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
    text: digitsOf,
    sortKey: (key) => ({ key, kind: sort }),
    ...type,
  }
}

/** Takes in a value that is written as text: it must be the canonical one, which the digest is over. */
async function conformText(field: SchemaField, bytes: Readable): Promise<Conformed> {
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
