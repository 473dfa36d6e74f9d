import { plainText } from '@vitrine/contract'
import type { Value } from './read-points.ts'

/** A value as it is told beside what is drawn. */
export function pointText(value: Value): string {
  return value === undefined ? '' : plainText(value)
}

/** A moment without what is zero at its end. */
export function timeText(at: Date): string {
  return at
    .toISOString()
    .replace(/(T00:00:00)?\.000Z$/, (end) => (end.startsWith('T') ? '' : 'Z'))
    .replace('T', ' ')
}
