import { hash } from 'node:crypto'
import { readSealCells, type SealCells } from '../store/sealed-rows.ts'
import type { Store } from '../store/store.ts'
import type { DatasetReader } from './dataset-reader.ts'

/**
 * How many levels of items a seal covers: an item, what it refers to, and what that refers to. References
 * of the last level are left out (docs/decisions/imports.md).
 */
const sealLevels = 3

/** Seals that are remembered of each dataset, and ids that one query asks for. */
const knownMax = 50_000
const batch = 1000

/**
 * Seals of the items of datasets: sha256 by which an item is known on every server, whatever its id is
 * there.
 */
export class ItemSeals {
  readonly #store: Store
  readonly #datasets: DatasetReader
  /** By the dataset and the number of levels. */
  readonly #known = new Map<string, Map<number, string>>()

  constructor({ store, datasets }: { store: Store; datasets: DatasetReader }) {
    this.#store = store
    this.#datasets = datasets
  }

  /** The seals of some items of a dataset, as it shows them, by their ids. */
  async of(
    name: string,
    ids: Iterable<number>,
    levels = sealLevels,
  ): Promise<ReadonlyMap<number, string>> {
    const key = `${levels} ${name}`
    let cached = this.#known.get(key)
    if (cached === undefined || cached.size > knownMax) this.#known.set(key, (cached = new Map()))
    const wanted = [...new Set(ids)].filter((id) => !cached.has(id))
    const dataset = wanted.length === 0 ? undefined : await this.#datasets.find(name)
    if (dataset === undefined) return cached
    for (let from = 0; from < wanted.length; from += batch) {
      const some = wanted.slice(from, from + batch)
      const { repoId, shown } = dataset
      const items = await readSealCells(this.#store.prepareInWorker, { repoId, ...shown }, some)
      const targets = new Map<string, ReadonlyMap<number, string>>()
      for (const field of dataset.schema) {
        if (field.type !== 'reference' || levels === 1) continue
        const referred = items.flatMap(({ cells }) => cells.get(field.name)?.id ?? [])
        targets.set(field.name, await this.of(field.target, referred, levels - 1))
      }
      for (const { id, cells } of items) cached.set(id, sealOf(cells, targets))
      await new Promise(setImmediate)
    }
    return cached
  }
}

/**
 * The sha256 over JSON in the form of RFC 8785: by the names of the fields that have a value, its sha256
 * and of a binary its media type, of a reference the seal of what it leads to.
 */
function sealOf(
  cells: SealCells,
  targets: ReadonlyMap<string, ReadonlyMap<number, string>>,
): string {
  const members: string[] = []
  for (const name of [...cells.keys()].toSorted()) {
    const { id, sha256, mime } = cells.get(name)!
    const seal = id === undefined ? undefined : targets.get(name)?.get(id)
    if (id !== undefined && seal === undefined) continue
    const value = id === undefined ? { ...(mime !== undefined && { mime }), sha256 } : { seal }
    members.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
  }
  return hash('sha256', `{${members.join(',')}}`)
}
