import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { noId, readId } from '@vitrine/contract/read-id'
import type { Conformed } from './conform.ts'
import { gather } from '../values/read-small-value.ts'

const idBytesMax = String(Number.MAX_SAFE_INTEGER).length

export async function conformReference(bytes: Readable): Promise<Conformed> {
  const value = await gather(bytes, idBytesMax)
  const digits = value?.toString('latin1') ?? ''
  const id = readId(digits)
  if (id === undefined) return { ok: false, reason: noId }
  return { ok: true, value: { type: 'reference', id, sha256: hash('sha256', digits) } }
}
