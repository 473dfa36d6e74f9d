import { textType } from './stored-type.ts'

export const json = textType({
  sort: 'text',
  exported: { kind: 'json', croissant: 'sc:Text' },
  summary: 'plain',
  isCut: true,
})
