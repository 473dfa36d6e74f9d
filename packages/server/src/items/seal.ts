import type { Seal } from '@vitrine/contract'
import type { StoredValue } from '../store/items.ts'

/** What is sealed of a value: the digest and the size of its bytes as they were sent. */
export function sealOf(value: StoredValue): Seal {
  const { sha256 } = value
  switch (value.type) {
    case 'string':
      return { sha256, size: Buffer.byteLength(value.text) }
    case 'reference':
      return { sha256, size: String(value.id).length }
    case 'binary':
      return { sha256, size: value.size, mime: value.mime }
  }
}
