import type { Client } from '@vitrine/client'
import { until } from './until.ts'

/**
 * Searches items until there was time for all of them: starting a thread may take all that a search has, on a machine
 * that does other things.
 */
export async function wholeSearch(client: Client, q: string) {
  const { items } = await until(async () => {
    const found = await client.itemSearch({ q })
    return found.exact && found
  })
  return items
}
