import { textType } from './stored-type.ts'

export const url = textType({
  sort: 'text',
  text: (cell) => cell,
  exported: { kind: 'text', croissant: 'sc:URL' },
  summary: 'text',
})
