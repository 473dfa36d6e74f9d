import { addItem } from '@vitrine/client'
import type { AddItems } from './load-repo.ts'

/** Adds items each by itself, for a server that takes no imports. */
export const addItems: AddItems = async (client, repo, { items, step, signal }) => {
  const ids = new Map<string, number>()
  // A generator, unlike an array's iterator, ends for all who share it when one of them fails.
  const queue = (function* () {
    yield* items
  })()
  const work = async () => {
    for (const { key, values } of queue) {
      signal.throwIfAborted()
      ids.set(key, await addItem(client, repo.name, await values()))
      step(1)
    }
  }
  // Inserts that are under way end first: loading again must find them.
  const ended = await Promise.allSettled(Array.from({ length: repo.inFlight }, work))
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return ids
}
