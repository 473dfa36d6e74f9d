import type { Client } from '@vitrine/client'
import { pagesOf } from '../pages-of.ts'

/** Damage of one value that the server knows of. */
export type KnownDamage = {
  dataset: string
  item: number
  field: string
  what: string
  /** Such as `2026-11-22T21:00:00.000Z`. */
  since: string
}

/** Lists the damage that a server has found by itself, of some datasets or of all. */
export async function* knownDamage(
  { damageList }: Client,
  datasets: readonly string[],
): AsyncGenerator<KnownDamage> {
  for await (const { values, what, firstSeenAt: since } of pagesOf(damageList)) {
    for (const value of values) {
      if (datasets.includes(value.dataset)) yield { ...value, what, since }
    }
  }
}
