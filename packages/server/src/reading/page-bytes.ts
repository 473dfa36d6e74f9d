import { limits } from '@vitrine/contract'
import { fail } from '../failure.ts'
import type { ShownField } from '../store/item-rows.ts'

/** Whether items of some fields may have more bytes of text than a page may. */
export function mayExceedPage(fields: readonly ShownField[], items: number): boolean {
  const bytesMax = fields.reduce((sum, field) => sum + field.bytesMax, 0)
  return items > 1 && items * bytesMax > limits.pageBytes
}

/** @throws Failure PAGE_TOO_LARGE */
export function requirePageBytes(bytes: number): void {
  if (bytes > limits.pageBytes) throw fail('PAGE_TOO_LARGE')
}
