import { setImmediate as turn } from 'node:timers/promises'
import { valueBytes, type ItemAddition } from '@vitrine/contract'
import type { Author } from '../access/identity.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'
import { addItem } from './add-item.ts'
import type { InsertContext } from './insert-context.ts'

/** Items added side by side, which share the syncs of the disk. */
const concurrency = 64

/**
 * Adds items, each with the checks of an insert and a transaction of its own, so that what is refused keeps no
 * other from being added.
 *
 * @returns what became of each, in the order of `items`; an error is one that `addItem` throws
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, before anything is added
 */
export async function addItems(
  context: InsertContext & { datasets: DatasetReader },
  { repoName, ...author }: Author & { repoName: string },
  items: readonly ItemAddition[],
): Promise<PromiseSettledResult<{ id: number }>[]> {
  await context.repos.require(repoName)
  const outcomes: PromiseSettledResult<{ id: number }>[] = []
  for (let from = 0; from < items.length; from += concurrency) {
    const some = items.slice(from, from + concurrency).map(({ key, values, integrity }) =>
      addItem(
        context,
        { repoName, ...author, key },
        {
          values: Object.entries(values).map(([name, value]) => ({
            name,
            mime: 'text/plain',
            bytes: [Buffer.from(valueBytes(value))],
          })),
          integrity: () => integrity,
        },
      ),
    )
    outcomes.push(...(await Promise.allSettled(some)))
    await turn()
  }
  return outcomes
}
