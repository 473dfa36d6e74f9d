import { baseOf, type DatasetInfo } from '@vitrine/contract'
import { parseRowLists } from '@vitrine/rows/write/row-lists'
import { findPositions } from '../reading/item-position.ts'
import { PositionSet } from '../reading/position-set.ts'
import { pickedSnapshot } from '../reading/snapshot-reads.ts'
import type { Store } from '../store/store.ts'
import type { BundledDataset } from './bundled-datasets.ts'

/** Items of its repositories that a bundle has: those of the dataset, and their targets. */
export class BundlePicks {
  readonly #store: Store
  readonly #datasets: ReadonlyMap<string, BundledDataset>
  readonly #picked = new Map<number, PositionSet>()

  constructor(store: Store, datasets: readonly BundledDataset[]) {
    this.#store = store
    this.#datasets = new Map(datasets.map((each) => [each.info.name, each]))
  }

  of(repoId: number): PositionSet {
    let picked = this.#picked.get(repoId)
    if (picked === undefined) this.#picked.set(repoId, (picked = new PositionSet()))
    return picked
  }

  /**
   * Adds items of a dataset by their ids.
   * @returns the positions that were not there
   */
  async add(name: string, ids: readonly number[]): Promise<number[]> {
    const { repoId } = this.#datasets.get(name)!.readable
    const picked = this.of(repoId)
    const positions = await findPositions(this.#store.reads, repoId, [...new Set(ids)])
    return positions.filter((position) => picked.add(position))
  }

  /**
   * Adds what items of a repository refer to in itself, and on. What its other references lead to follows from its
   * rows as they are written.
   */
  async closeOwn({ info, readable }: BundledDataset): Promise<void> {
    const { repoId, shown } = readable
    const columns = referencesOf(info).flatMap(({ at, target }) =>
      this.#datasets.get(target)!.readable.repoId === repoId ? [{ at, target }] : [],
    )
    if (columns.length === 0) return
    const read = columns.map(({ at }) => ({ at: at + 1, presentAt: at + 1 }))
    let picked = this.of(repoId)
    while (picked.count > 0) {
      const added = new PositionSet()
      const { read: readRows } = pickedSnapshot(this.#store, { repoId, picked }, shown)
      for await (const window of readRows(picked.count, read)) {
        const rows = parseRowLists(window)
        for (const [at, { target }] of columns.entries()) {
          const ids = rows.flatMap((row) => (row[at] === null ? [] : Number(row[at])))
          for (const position of await this.add(target, ids)) added.add(position)
        }
      }
      picked = added
    }
  }
}

/** The fields of a dataset that refer to others, by their places in its schema. */
export function referencesOf({ schema }: DatasetInfo): { at: number; target: string }[] {
  return schema.flatMap(({ type, target }, at) =>
    type === 'reference' ? [{ at, target: target! }] : [],
  )
}

/** Whether which items a view has depends on others of its repository: it, or a base of it, has a limit. */
export function isLimited({ view }: DatasetInfo, datasets: readonly BundledDataset[]): boolean {
  if (view === undefined) return false
  const base = baseOf(view)
  const below = datasets.find(({ info }) => info.name === base.name)!
  return view['limit'] !== undefined || isLimited(below.info, datasets)
}
