import { listMissingItems } from '../store/items.ts'
import type { ImportContext } from './import-context.ts'

/** How many ids one query asks about: a read must not hold the event loop. */
const batch = 1000

/** Lists the ids, of those given, that no item of a dataset has. */
export async function findMissing(
  { store, datasets }: ImportContext,
  targetName: string,
  ids: ReadonlySet<number>,
): Promise<Set<number>> {
  const target = await datasets.find(targetName)
  if (target === undefined) return new Set(ids)
  await datasets.catchUp(target)
  const missing = new Set<number>()
  const wanted = [...ids]
  for (let from = 0; from < wanted.length; from += batch) {
    const some = wanted.slice(from, from + batch)
    const repoLacks = await listMissingItems(store.reads, target.repoId, some)
    for (const id of repoLacks) missing.add(id)
    if (!target.isWhole) {
      for (const id of some) if (!missing.has(id) && !(await target.items.has(id))) missing.add(id)
    }
    await new Promise(setImmediate)
  }
  return missing
}
