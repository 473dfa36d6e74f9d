import { sql } from 'kysely'
import { textType } from './stored-type.ts'

export const boolean = textType({
  sort: 'count',
  text: (cell) => sql`case ${cell} when 1 then 'true' when 0 then 'false' end`,
  exported: { kind: 'boolean', croissant: 'sc:Boolean' },
  summary: 'plain',
})
