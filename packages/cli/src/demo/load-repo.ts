import { addItem, type Client } from '@vitrine/client'
import { limits } from '@vitrine/contract'
import type { DemoRepo, LoadedIds } from './demo-repo.ts'
import type { ShowProgress } from './progress.ts'
import { readDescription } from './read-description.ts'

export type LoadOptions = {
  setsDir: string
  showProgress: ShowProgress
  /** Stops before the next insert. */
  signal: AbortSignal
}

/**
 * Creates a repository and adds those of its items that are not there, so that a load that was
 * interrupted goes on where it was.
 * @returns the ids of all its items by their keys
 */
export async function loadRepo(
  client: Client,
  repo: DemoRepo,
  loaded: LoadedIds,
  { setsDir, showProgress, signal }: LoadOptions,
): Promise<Map<string, number>> {
  await client.repoCreate({ body: await readDescription(repo.name) })
  const items = await repo.items(setsDir, loaded)
  const ids = await readKeys(client, repo)
  const missing = items.filter(({ key }) => !ids.has(key))
  const done = items.length - missing.length
  const progress = showProgress(repo.name, { total: items.length, done })

  // A generator, unlike an array's iterator, ends for all who share it when one of them fails.
  const queue = (function* () {
    yield* missing
  })()
  const work = async () => {
    for (const { key, values } of queue) {
      signal.throwIfAborted()
      ids.set(key, await addItem(client, repo.name, await values()))
      progress.step()
    }
  }
  // Inserts that are under way end first: whoever loads again must find them.
  const ended = await Promise.allSettled(Array.from({ length: repo.inFlight }, work))
  progress.stop()
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return ids
}

/** The ids of the items that are there, by their keys. */
async function readKeys(
  client: Client,
  { name, keyField }: Pick<DemoRepo, 'name' | 'keyField'>,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  const pageSize = limits.pageSizeMax
  for (let page = 0; ; page += 1) {
    const items = await client.datasetItemList({ datasetId: name, page, pageSize })
    for (const { id, data } of items) ids.set(String(data[keyField]), id)
    if (items.length < pageSize) return ids
  }
}
