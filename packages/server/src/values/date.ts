import { textType } from './stored-type.ts'

export const date = textType({
  sort: 'text',
  exported: { kind: 'date', croissant: 'sc:Date' },
  summary: 'time',
})
