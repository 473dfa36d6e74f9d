import type { FieldType, StringField } from '@vitrine/contract'
import { sql } from 'kysely'
import { binary } from './binary.ts'
import { type StoredType, textType } from './stored-type.ts'

/** Stored types by the types of fields. A new type is an entry here. */
export const storedTypes: Record<FieldType, StoredType> = {
  string: textType({
    sort: 'text',
    sortKey: (cell, field) => {
      const { choices } = field as StringField
      if (choices === undefined) return { key: cell, kind: 'text' }
      const places = choices.map((choice, index) => sql`when ${choice} then ${sql.lit(index)}`)
      return { key: sql`case ${cell} ${sql.join(places, sql` `)} end`, kind: 'count' }
    },
    exported: { kind: 'text', croissant: 'sc:Text' },
    summary: 'text',
    isCut: true,
  }),
  integer: textType({
    sort: 'integer',
    exported: { kind: 'integer', croissant: 'sc:Integer' },
    summary: 'number',
  }),
  number: textType({
    sort: 'number',
    exported: { kind: 'number', croissant: 'sc:Float' },
    summary: 'number',
  }),
  boolean: textType({
    sort: 'count',
    exported: { kind: 'boolean', croissant: 'sc:Boolean' },
    summary: 'plain',
  }),
  date: textType({
    sort: 'text',
    exported: { kind: 'date', croissant: 'sc:Date' },
    summary: 'time',
  }),
  timestamp: textType({
    sort: 'text',
    exported: { kind: 'timestamp', croissant: 'sc:DateTime' },
    summary: 'time',
  }),
  duration: textType({
    sort: 'integer',
    exported: { kind: 'duration', croissant: 'sc:Text' },
    summary: 'number',
  }),
  url: textType({
    sort: 'text',
    exported: { kind: 'text', croissant: 'sc:URL' },
    summary: 'text',
  }),
  json: textType({
    sort: 'text',
    exported: { kind: 'json', croissant: 'sc:Text' },
    summary: 'plain',
    isCut: true,
  }),
  reference: textType({
    sort: 'count',
    exported: { kind: 'integer', croissant: 'sc:Integer' },
    summary: 'plain',
  }),
  binary,
}
