import type { Seal } from '@vitrine/contract'
import type { StoredValue } from '../store/items.ts'

/** Returns the seal of a value: the digest and the size of its bytes as they were sent. */
export function sealOf({ sha256, size, mime }: StoredValue): Seal {
  return { sha256, size, ...(mime !== undefined && { mime }) }
}
