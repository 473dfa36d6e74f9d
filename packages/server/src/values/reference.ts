import { textType } from './stored-type.ts'

export const reference = textType({
  sort: 'count',
  exported: { kind: 'integer', croissant: 'sc:Integer' },
  summary: 'plain',
})
