import type { StringField } from '@vitrine/contract'
import { sql } from 'kysely'
import { textType } from './stored-type.ts'

export const string = textType({
  sort: 'text',
  text: (cell) => cell,
  sortKey: (cell, field) => {
    const { choices } = field as StringField
    if (choices === undefined) return { key: cell, kind: 'text' }
    const places = choices.map((choice, index) => sql`when ${choice} then ${sql.lit(index)}`)
    return { key: sql`case ${cell} ${sql.join(places, sql` `)} end`, kind: 'count' }
  },
  exported: { kind: 'text', croissant: 'sc:Text' },
  summary: 'text',
  isCut: true,
})
