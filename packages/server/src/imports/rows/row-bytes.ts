import { limits } from '@vitrine/contract/limits'
import type { RawRow } from './raw-row.ts'

/** Why a row of more than `limits.rowBytes` is refused. */
export const tooLong = `is longer than ${limits.rowBytes / 1024 ** 2} MiB`

/** The bytes of the texts and of the bytes of a row, where a format does not tell how long its rows are. */
export function rowBytes({ values }: RawRow): number {
  let bytes = 0
  for (const said of values) {
    const value = said?.value
    if (typeof value === 'string') bytes += Buffer.byteLength(value)
    else if (value instanceof Uint8Array) bytes += value.length
  }
  return bytes
}
