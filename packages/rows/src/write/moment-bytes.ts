import type { ColumnKind } from './row-writer.ts'

/** By how many bytes a value may be longer than its cell in JSON, quotes counted. */
export const besideCell: Record<ColumnKind, number> = {
  text: 0,
  date: 0,
  json: 0,
  integer: 0,
  timestamp: 'Z'.length,
  boolean: 'false'.length,
  number: '"-1.2345678901234567e-308"'.length,
  millisecond: '"2026-01-01T00:00:00.000Z"'.length,
}

const utf8 = new TextEncoder()

/** Moments in ISO 8601 as bytes, without quotes; those that were imported together share one. */
export function rememberMoments(): (milliseconds: number) => Uint8Array {
  let last = Number.NaN
  let bytes = new Uint8Array()
  return (milliseconds) => {
    if (milliseconds !== last) {
      last = milliseconds
      bytes = utf8.encode(new Date(milliseconds).toISOString())
    }
    return bytes
  }
}
