import { setImmediate as turn } from 'node:timers/promises'
import {
  type Cover,
  type DatasetQuery,
  type DatasetSort,
  type FoundDataset,
  compareText,
  foldSearch,
  limits,
  naturalKey,
  searchWords,
} from '@vitrine/contract'
import {
  type DatasetRow,
  type DatasetText,
  listDatasetRows,
  readDatasetTexts,
} from '../../store/dataset-rows.ts'
import { listDatasetIds } from '../../store/datasets.ts'
import type { Store } from '../../store/store.ts'
import type { Visibility } from '../../store/visibility.ts'
import type { DatasetReader } from '../dataset-reader.ts'
import type { ReadableDataset } from '../compiled-datasets.ts'
import type { ReadResult } from '../read-result.ts'

/** Options of reads that do not wait. */
const withoutWait = { partial: true, cachedOnly: true }

/** The first items are looked through for pictures, so many of them. */
const coverItems = 12

/** Datasets that are looked at before other requests have their turn. */
const atATime = 50

/** How often a dataset is looked at that changes meanwhile. */
const looksMax = 3

/** Texts of a dataset that are searched, folded. */
type Sought = DatasetText & { name: string; about: string; names: readonly string[] }

type Match = { row: DatasetRow; rank: number }

/**
 * Finds datasets by name, description and field. What is said of them is what is kept: nothing is counted,
 * and a view that has not looked at all items is said as far as it is, and goes on.
 */
export class DatasetSearch {
  readonly #store: Store
  readonly #datasets: DatasetReader
  /** By id, as of a revision. */
  readonly #sought = new Map<number, { revision: number; sought: Sought }>()
  /** Size of the map from which on deleted datasets are forgotten. */
  #forgetAt = 1000

  constructor(store: Store, datasets: DatasetReader) {
    this.#store = store
    this.#datasets = datasets
  }

  async find(
    { q = '', kind, sort, page, pageSize }: DatasetQuery,
    visibility: Visibility,
  ): Promise<FoundDataset[]> {
    const rows = await listDatasetRows(this.#store.reads, visibility, kind)
    const words = searchWords(q)
    const matches = words.length === 0 ? asTheyAre(rows) : await this.#match(rows, words)
    const sorted = sort === undefined ? byRank(matches) : await this.#sort(matches, sort)
    const shown = sorted.slice(page * pageSize, (page + 1) * pageSize)
    await this.#read(shown)
    const datasets = await Promise.all(shown.map((row) => this.#describe(row, words)))
    return datasets.filter((each) => each !== undefined)
  }

  async #match(rows: readonly DatasetRow[], words: readonly string[]): Promise<Match[]> {
    await this.#read(rows)
    return rows.flatMap((row) => {
      const sought = this.#sought.get(row.id)?.sought
      const rank = sought && rankOf(sought, words)
      return rank === undefined ? [] : [{ row, rank }]
    })
  }

  /** Reads what datasets say of themselves, where it is not known as of their revision. */
  async #read(rows: readonly DatasetRow[]): Promise<void> {
    const unknown = rows.filter(({ id, revision }) => this.#sought.get(id)?.revision !== revision)
    for (const some of chunks(unknown)) {
      const texts = await readDatasetTexts(
        this.#store.reads,
        some.map(({ id }) => id),
      )
      for (const { id, name, revision } of some) {
        const text = texts.get(id)
        if (text !== undefined) this.#sought.set(id, { revision, sought: fold(name, text) })
      }
      if (unknown.length > atATime) await turn()
    }
    if (this.#sought.size > this.#forgetAt) await this.#forget()
  }

  async #forget(): Promise<void> {
    const ids = new Set(await listDatasetIds(this.#store.reads))
    for (const id of this.#sought.keys()) if (!ids.has(id)) this.#sought.delete(id)
    this.#forgetAt = 2 * ids.size + 1000
  }

  async #sort(matches: readonly Match[], sort: DatasetSort): Promise<DatasetRow[]> {
    const rows = matches.map(({ row }) => row)
    const turned = sort.startsWith('-')
    const key = turned ? sort.slice(1) : sort
    if (key === 'createdAt') return turned ? rows : rows.toReversed()
    if (key === 'name') {
      const keys = new Map(rows.map((row) => [row, naturalKey(foldSearch(row.name))]))
      const sorted = rows.toSorted((a, b) => compareText(keys.get(a)!, keys.get(b)!))
      return turned ? sorted.toReversed() : sorted
    }
    const numbers = new Map<DatasetRow, number>()
    for (const some of chunks(rows)) {
      await Promise.all(
        some.map(async (row) => {
          const number = await (key === 'items' ? this.#count(row) : this.#addedAt(row))
          if (number !== undefined) numbers.set(row, number)
        }),
      )
      if (rows.length > atATime) await turn()
    }
    // In either direction what is not known comes last.
    const rankOfRow = (row: DatasetRow) => {
      const number = numbers.get(row)
      return number === undefined ? Infinity : turned ? -number : number
    }
    return rows
      .map((row) => ({ row, rank: rankOfRow(row) }))
      .toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
      .map(({ row }) => row)
  }

  async #count(row: DatasetRow): Promise<number | undefined> {
    if (row.kind === 'repo') return row.items
    return this.#look(row, async ({ items }) => (await items.count(withoutWait)).value)
  }

  #addedAt(row: DatasetRow): Promise<number | undefined> {
    return this.#look(row, ({ items }) => items.addedAt(withoutWait))
  }

  /** Reads a dataset; undefined where it was deleted meanwhile. */
  async #look<T>(
    { id, name }: DatasetRow,
    read: (dataset: ReadableDataset) => Promise<T>,
  ): Promise<T | undefined> {
    for (let looks = 1; ; looks += 1) {
      const dataset = await this.#datasets.find(name)
      if (dataset?.id !== id) return undefined
      try {
        return await read(dataset)
      } catch (error) {
        // A table may have gone with its dataset, or a listing that was replaced.
        if (looks === looksMax) throw error
      }
    }
  }

  #describe(row: DatasetRow, words: readonly string[]): Promise<FoundDataset | undefined> {
    const { name, kind, base } = row
    return this.#look(row, async (dataset) => {
      const { sought } = this.#sought.get(row.id) ?? {}
      const count = await dataset.items.count(withoutWait)
      const covers = await coversOf(dataset)
      // How many there are may be known before their order is, and with it which are the first.
      const isPart = count.progress !== undefined || covers.progress !== undefined
      if (isPart) await this.#datasets.begin(name)
      const addedAt = await dataset.items.addedAt(withoutWait)
      return {
        name,
        kind,
        createdAt: new Date(row.createdAt).toISOString(),
        ...(base !== undefined && { base }),
        ...(sought?.description !== undefined && { description: sought.description }),
        items: { totalItems: count.value, ...(isPart && { exact: false }) },
        ...(addedAt !== undefined && { addedAt: new Date(addedAt).toISOString() }),
        fields: sought === undefined ? [] : fieldsWith(sought, words),
        ...(sought && { fieldNames: sought.fields.slice(0, limits.fieldNames) }),
        covers: covers.value,
      }
    })
  }
}

async function coversOf({ covers, schema }: ReadableDataset): Promise<ReadResult<Cover[]>> {
  if (covers === undefined) return { value: [] }
  const { fieldName, items } = covers
  const field = schema.find(({ name }) => name === fieldName)
  const mime = field?.type === 'binary' ? field.mime : undefined
  const { value, ...read } = await items.page(
    { page: 0, pageSize: coverItems, cut: 1 },
    withoutWait,
  )
  const shown = value.filter(({ data }) => data[fieldName] !== undefined).slice(0, limits.covers)
  return { ...read, value: shown.map(({ id }) => ({ itemId: id, fieldName, mime })) }
}

function fold(name: string, text: DatasetText): Sought {
  const { description = '', fields } = text
  return {
    ...text,
    name: foldSearch(name),
    about: foldSearch(description),
    names: fields.map((field) => foldSearch(field)),
  }
}

/** How well a dataset fits, 0 best; undefined where a word is nowhere in it. */
function rankOf({ name, about, names }: Sought, words: readonly string[]): number | undefined {
  const whole = words.join(' ')
  if (name === whole) return 0
  if (name.startsWith(whole)) return 1
  if (words.every((word) => name.includes(word))) return 2
  const isIn = (word: string) =>
    name.includes(word) || about.includes(word) || names.some((field) => field.includes(word))
  return words.every(isIn) ? 3 : undefined
}

function fieldsWith({ fields, names }: Sought, words: readonly string[]): string[] {
  return fields.filter((_, index) => words.some((word) => names[index]!.includes(word)))
}

function asTheyAre(rows: readonly DatasetRow[]): Match[] {
  return rows.map((row) => ({ row, rank: 0 }))
}

function byRank(matches: readonly Match[]): DatasetRow[] {
  return matches.toSorted((a, b) => a.rank - b.rank).map(({ row }) => row)
}

function* chunks(rows: readonly DatasetRow[]): Generator<readonly DatasetRow[]> {
  for (let from = 0; from < rows.length; from += atATime) yield rows.slice(from, from + atATime)
}
