import type { SchemaField } from '@vitrine/contract'
import { sql } from 'kysely'
import type { Windows } from '../../listings/check-listing.ts'
import { WorkerPool } from '../../runtime/worker-pool.ts'
import type { IndexTasks } from '../../search-index/index-worker.ts'
import { indexedBy } from '../../search-index/needed-grams.ts'
import { segmentItems, segmentParts } from '../../search-index/segment-filter.ts'
import { findDatasetById } from '../../store/datasets.ts'
import { itemRow, storedField } from '../../store/item-rows.ts'
import { layOutFields } from '../../store/items.ts'
import { readHead } from '../../store/listings.ts'
import { countSegments, keepSegment, readSegment } from '../../store/search-slices.ts'
import type { Store } from '../../store/store.ts'
import { plainSnapshot } from '../snapshot-reads.ts'

/** A repository with its schema. */
type Indexed = { id: number; schema: readonly SchemaField[] }

/**
 * Indexes the values of repositories in the background once somebody searches in them, segment by segment
 * (docs/decisions/views.md). A stop leaves the segments that are done; items beyond the last whole segment are
 * never indexed.
 */
export class SearchIndexing {
  readonly #store: Store
  readonly #onError: (error: unknown) => void
  readonly #pool = new WorkerPool<IndexTasks>(
    new URL('../../search-index/index-worker.ts', import.meta.url),
    { size: 1, idleMs: 10_000 },
  )
  readonly #begun = new Set<number>()
  #last: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(store: Store, { onError }: { onError: (error: unknown) => void }) {
    this.#store = store
    this.#onError = onError
  }

  /** Indexes what a repository has, after those that were begun before. */
  begin(repoId: number): void {
    if (this.#begun.has(repoId)) return
    this.#begun.add(repoId)
    this.#last = this.#last
      .then(() => this.#index(repoId))
      .catch((error: unknown) => {
        if (!this.#isStopped) this.#onError(error)
      })
      .finally(() => this.#begun.delete(repoId))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#last
    await this.#pool.close()
  }

  /**
   * Compares the segments of a repository with its values, one at a time.
   * @yields a sentence for a fault, and undefined after each segment without one
   */
  async *check(repo: Indexed, windows: Windows): AsyncGenerator<string | undefined> {
    const { reads } = this.#store
    for (const { from: segment } of windows(await countSegments(reads, repo.id), 1)) {
      const [from, to] = [segment * segmentItems, (segment + 1) * segmentItems]
      const slices = await this.#slicesOf(repo, { from, to })
      const segmentRow = await readSegment(reads, repo.id, segment)
      yield segmentRow.length === 0 || Buffer.compare(segmentRow, slices) === 0
        ? undefined
        : `its index is not of the ${from + 1}. to ${to}. item`
    }
  }

  async #index(repoId: number): Promise<void> {
    await this.#store.exclusively(`search index ${repoId}`, async ({ check }) => {
      while (!this.#isStopped && (await this.#indexSegment(repoId, check)));
      return true
    })
  }

  /** Returns whether there may be another one. */
  async #indexSegment(repoId: number, check: () => void): Promise<boolean> {
    const { reads } = this.#store
    const segment = await countSegments(reads, repoId)
    const [from, to] = [segment * segmentItems, (segment + 1) * segmentItems]
    // Before the schema, so that no item has a field which that does not have.
    if ((await readHead(reads, repoId)) < to) return false
    const repo = await findDatasetById(reads, repoId)
    if (repo === undefined) return false
    const slices = await this.#slicesOf(repo, { from, to })
    const bytes = slices.length / segmentParts
    const parts = Array.from({ length: segmentParts }, (_, part) => ({
      segment,
      part,
      slices: slices.subarray(part * bytes, (part + 1) * bytes),
    }))
    check()
    return this.#store.write((transaction) => keepSegment(transaction, repoId, parts), {
      derived: true,
    })
  }

  async #slicesOf(
    { id: repoId, schema }: Indexed,
    { from, to }: { from: number; to: number },
  ): Promise<Uint8Array<ArrayBuffer>> {
    const indexed = layOutFields(schema).flatMap((field) => {
      const by = indexedBy(field.type)
      return by === undefined ? [] : [{ field, by }]
    })
    const fields = indexed.map(({ field }) => storedField(field, itemRow))
    const indexedColumns = indexed.map(({ field: { column }, by }) => ({ column, by }))
    const source = { repoId, listingId: undefined, count: to }
    const columns = fields.map((_, index) => ({ at: index + 1, presentAt: index + 1 }))
    return this.#pool.use(async (session) => {
      const snapshot = plainSnapshot(this.#store, source, { fields, joins: sql`` }, from)
      for await (const rows of snapshot.read(to, columns)) {
        if (this.#isStopped) throw new Error('the server is stopping')
        await session.run('add', { rows, columns: indexedColumns })
      }
      return session.run('write')
    })
  }
}
