import { numberText } from '../store/expressions.ts'
import { textType } from './stored-type.ts'

export const number = textType({
  sort: 'number',
  text: numberText,
  exported: { kind: 'number', croissant: 'sc:Float' },
  summary: 'number',
})
