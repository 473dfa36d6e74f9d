import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { itemId } from '@vitrine/contract'
import type { Conformed } from './conform.ts'
import { gather } from './gather.ts'

const idBytesMax = String(Number.MAX_SAFE_INTEGER).length

/** Canonical digits only: `7`, `07` and `7.0` would be one reference with three digests. */
export async function conformReference(bytes: Readable): Promise<Conformed> {
  const value = await gather(bytes, idBytesMax)
  const digits = value?.toString('latin1') ?? ''
  const id = Number(digits)
  if (!/^[1-9][0-9]*$/.test(digits) || !itemId.safeParse(id).success) {
    return {
      ok: false,
      reason: 'must be the id of an item in decimal digits, without leading zeros',
    }
  }
  return { ok: true, value: { type: 'reference', id, sha256: hash('sha256', digits) } }
}
