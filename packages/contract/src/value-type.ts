import type { FieldType } from './field.ts'

/** What can be measured of a value: the code points of a text; digest, media type or size of a binary. */
export type Measure = 'length' | 'sha256' | 'mime' | 'bytes'

/** What an operator can be asked of: fields of each type, what every row has, and measures. */
export type ValueType = FieldType | 'id' | 'createdAt' | Measure

const descriptions: Record<ValueType, string> = {
  string: 'a string',
  reference: 'a reference',
  binary: 'a binary',
  id: 'an id',
  createdAt: 'a moment',
  length: 'a length',
  sha256: 'a digest',
  mime: 'a media type',
  bytes: 'a size',
}

/** What a value of a type is called in a sentence. */
export function describeType(type: ValueType): string {
  return descriptions[type]
}
