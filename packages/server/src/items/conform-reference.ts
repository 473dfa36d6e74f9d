import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Conformed } from './conform.ts'
import { gather } from './gather.ts'

const idBytesMax = String(Number.MAX_SAFE_INTEGER).length

export async function conformReference(bytes: Readable): Promise<Conformed> {
  const value = await gather(bytes, idBytesMax)
  const digits = value?.toString('latin1') ?? ''
  const id = readId(digits)
  if (id === undefined) return { ok: false, reason: noId }
  return { ok: true, value: { type: 'reference', id, sha256: hash('sha256', digits) } }
}

/** Why digits are not taken that are no id. */
export const noId = 'must be the id of an item in decimal digits, without leading zeros'

/** Canonical digits only: `7`, `07` and `7.0` would be one reference with three digests. */
export function readId(digits: string): number | undefined {
  const id = Number(digits)
  const isId = /^[1-9][0-9]{0,15}$/.test(digits) && id <= Number.MAX_SAFE_INTEGER
  return isId ? id : undefined
}
