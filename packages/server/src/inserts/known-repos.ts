import { fail } from '../failure.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import {
  findDatasetById,
  findRevision,
  lockRevision,
  type Dataset,
  type DatasetRevision,
} from '../store/datasets.ts'
import type { Db, Store, Transaction } from '../store/store.ts'

const keptMax = 1000

/**
 * The repositories that items are added to; nothing is ever added to a view. What a name means is asked each time,
 * as other processes may change it. Of one revision nothing ever changes, so that is read and parsed once.
 */
export class KnownRepos {
  readonly #reads: Db
  readonly #byRevision = new LruCache<string, Dataset>(keptMax)

  constructor({ reads }: Pick<Store, 'reads'>) {
    this.#reads = reads
  }

  /** @throws Failure REPO_OR_ITEM_NOT_FOUND */
  async require(name: string): Promise<Dataset> {
    return this.#know(this.#reads, await findRevision(this.#reads, name))
  }

  /**
   * Reads a repository and locks it, so that nobody else adds items before this transaction is over; returns also the
   * import, if any, that is about to publish its own.
   * @throws Failure REPO_OR_ITEM_NOT_FOUND
   */
  async hold(
    transaction: Transaction,
    name: string,
  ): Promise<{ repo: Dataset; publishingImport: number | null }> {
    const found = await lockRevision(transaction, name)
    const repo = await this.#know(transaction, found)
    return { repo, publishingImport: found?.publishingImport ?? null }
  }

  async #know(db: Db, found: DatasetRevision | undefined): Promise<Dataset> {
    if (found?.kind !== 'repo') throw fail('REPO_OR_ITEM_NOT_FOUND')
    const known = this.#byRevision.find(`${found.id} ${found.revision}`)
    if (known !== undefined) return known
    const repo = await findDatasetById(db, found.id)
    if (repo === undefined) throw fail('REPO_OR_ITEM_NOT_FOUND')
    // It may be of a later revision than was found.
    this.#byRevision.put(`${repo.id} ${repo.revision}`, repo)
    return repo
  }
}
