import { sql } from 'kysely'
import { textType } from './stored-type.ts'

export const timestamp = textType({
  sort: 'text',
  text: (cell) => sql`${cell} || 'Z'`,
  exported: { kind: 'timestamp', croissant: 'sc:DateTime' },
  summary: 'time',
})
