import { textType } from './stored-type.ts'

export const integer = textType({
  sort: 'integer',
  exported: { kind: 'integer', croissant: 'sc:Integer' },
  summary: 'number',
})
