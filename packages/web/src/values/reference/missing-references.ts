import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '@vitrine/client'
import type { ShownField } from '@vitrine/contract'
import type { Queries } from '../../data/queries.ts'
import { isEmpty, type Entry } from '../entry.ts'

/**
 * Looks up what the entered references lead to.
 * @returns the error of each reference without an item, by field. If a lookup fails otherwise, the
 *   server decides.
 */
export async function missingReferences(
  { queryClient, queries }: { queryClient: QueryClient; queries: Queries },
  schema: readonly ShownField[],
  entries: Readonly<Record<string, Entry>>,
): Promise<Record<string, string>> {
  const missing = await Promise.all(
    schema.map(async ({ name, type, target }) => {
      const entry = entries[name]
      if (type !== 'reference' || target === undefined) return []
      if (isEmpty(entry) || entry instanceof File) return []
      try {
        await queryClient.fetchQuery(queries.datasetItemGet(target, entry))
        return []
      } catch (error) {
        return isNotFound(error) ? [[name, noSuchItem(target, entry)] as const] : []
      }
    }),
  )
  return Object.fromEntries(missing.flat())
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

export function noSuchItem(target: string, itemId: string): string {
  return `There is no item ${itemId} in ${target}`
}

/** Says why a reference leads nowhere: the dataset of a reference stays as long as something refers to it. */
export function unreadable(target: string): string {
  return `You may not read ${target}`
}
