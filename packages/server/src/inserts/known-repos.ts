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
    const revision = await lockRevision(transaction, name)
    const repo = await this.#know(transaction, revision)
    return { repo, publishingImport: revision?.publishingImport ?? null }
  }

  async #know(db: Db, revision: DatasetRevision | undefined): Promise<Dataset> {
    if (revision?.kind !== 'repo') throw fail('REPO_OR_ITEM_NOT_FOUND')
    const cached = this.#byRevision.find(`${revision.id} ${revision.revision}`)
    if (cached !== undefined) return cached
    const repo = await findDatasetById(db, revision.id)
    if (repo === undefined) throw fail('REPO_OR_ITEM_NOT_FOUND')
    // It may be of a later revision than was found.
    this.#byRevision.put(`${repo.id} ${repo.revision}`, repo)
    return repo
  }
}
