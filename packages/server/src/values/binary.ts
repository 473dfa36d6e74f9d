import type { BinaryField } from '@vitrine/contract'
import { conformBinary } from './conform-binary.ts'
import type { StoredType } from './stored-type.ts'

/** A cell is the sha256 of the bytes. */
export const binary: StoredType = {
  conform: (field, sent, into) => conformBinary(field as BinaryField, sent, into),
  text: (cell) => cell,
  sortKey: (key) => ({ key, kind: 'text' }),
  exported: { kind: 'text', croissant: 'sc:Text' },
  summary: 'binary',
}
