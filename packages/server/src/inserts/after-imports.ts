import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../failure.ts'
import type { Dataset } from '../store/datasets.ts'
import type { KnownRepos } from './known-repos.ts'
import type { Transaction } from '../store/store.ts'

/** How long an item waits for an import that is publishing its own, and how often it looks. */
const publishingMs = 60_000
const publishingPollMs = 25

/** The positions that follow are taken by an import; what meets this is done again after it. */
class Publishing extends Error {
  override name = 'Publishing'
}

/**
 * Holds a repository that an item is about to be added to, within what `afterImports` runs.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND
 */
export async function holdForItem(
  transaction: Transaction,
  repos: KnownRepos,
  name: string,
): Promise<Dataset> {
  const { repo, publishingImport } = await repos.hold(transaction, name)
  if (publishingImport !== null) throw new Publishing()
  return repo
}

/**
 * Adds an item, once no import publishes its own any more.
 * @throws Failure OVERLOADED where one does so for long, and whatever `add` throws
 */
export async function afterImports<T>(add: () => Promise<T>): Promise<T> {
  const givenUpAt = performance.now() + publishingMs
  for (;;) {
    try {
      return await add()
    } catch (error) {
      if (!(error instanceof Publishing)) throw error
      if (performance.now() > givenUpAt) throw fail('OVERLOADED')
      await sleep(publishingPollMs)
    }
  }
}
