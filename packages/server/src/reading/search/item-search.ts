import {
  type FoundItem,
  type FoundItems,
  type Item,
  type SchemaField,
  foldSearch,
  itemLabel,
  labelField,
  labelText,
  limits,
  searchBeginning,
  searchedFields,
} from '@vitrine/contract'
import { sql } from 'kysely'
import { FairQueue } from '../../runtime/fair-queue.ts'
import { LruCache } from '../../runtime/lru-cache.ts'
import { type NeededGrams, gramsOf } from '../../search-index/needed-grams.ts'
import { segmentItems } from '../../search-index/segment-filter.ts'
import { type DatasetRow, listDatasetRows } from '../../store/dataset-rows.ts'
import { type Dataset, findDatasetById, labelSource } from '../../store/datasets.ts'
import { beginsSearched } from '../../store/expressions.ts'
import { itemRow } from '../../store/item-rows.ts'
import { itemTable, layOutFields } from '../../store/items.ts'
import { readHead } from '../../store/listings.ts'
import { countSegments } from '../../store/search-slices.ts'
import type { Store } from '../../store/store.ts'
import { listHiddenTargets, type Visibility } from '../../store/visibility.ts'
import type { DatasetReader } from '../dataset-reader.ts'
import { Scan } from '../scan.ts'

/** Milliseconds after which no more items are looked at. */
const usualBudgetMs = 120
const searchesAtOnce = 2
/** Repositories whose queries are kept prepared. */
const preparedMax = 200

type Hit = { repo: DatasetRow; rank: number; position: number; id: number }
type HitRow = [rank: number, position: number, id: number]
type Look = {
  /** Bytes of the searched texts of an item at most. */
  bytesMax: number
  /** Finds the best items of each span of positions. */
  find: (spans: { from: number; to: number; folded: string }[], limit: number) => Promise<HitRow[]>
}

type Searching = {
  q: string
  /** Whose turn it is; people take turns. */
  owner: string
  /** Datasets that they may read. */
  visibility: Visibility
  /** Aborted when nobody waits for it any more. */
  signal: AbortSignal
}

/**
 * Finds items of all repositories whose texts are what is looked for, or begin with it. Nothing is kept of a search:
 * each looks at the blocks of items that the search index leaves, for as long as there is time.
 */
export class ItemSearch {
  readonly #store: Store
  readonly #datasets: DatasetReader
  readonly #budgetMs: number
  readonly #queue = new FairQueue(searchesAtOnce)
  /** Undefined of a repository without texts. */
  readonly #looks = new LruCache<string, { look: Look | undefined }>(preparedMax)

  constructor(store: Store, datasets: DatasetReader, budgetMs = usualBudgetMs) {
    this.#store = store
    this.#datasets = datasets
    this.#budgetMs = budgetMs
  }

  find({ q, owner, visibility, signal }: Searching): Promise<FoundItems> {
    return this.#queue.run(owner, async () => {
      const folded = foldSearch(q.trim())
      if (folded === '') return { items: [], exact: true }
      const { hits, exact } = await this.#look(folded, { visibility, signal })
      const items: FoundItem[] = []
      for (const hit of hits) {
        const item = await this.#describe(hit, folded, visibility)
        if (item !== undefined) items.push(item)
      }
      return { items, exact }
    })
  }

  /** Looks in small repositories first. */
  async #look(
    folded: string,
    { visibility, signal }: Pick<Searching, 'visibility' | 'signal'>,
  ): Promise<{ hits: Hit[]; exact: boolean }> {
    const deadline = performance.now() + this.#budgetMs
    const needed = gramsOf(folded)
    const repos = await listDatasetRows(this.#store.reads, visibility, 'repo')
    let hits: Hit[] = []
    let exact = true
    for (const repo of repos.toSorted((a, b) => a.items - b.items)) {
      if (repo.items === 0) continue
      const isLate = () => signal.aborted || performance.now() > deadline
      const part = isLate() ? undefined : await this.#lookIn(repo, { folded, needed, isLate })
      exact &&= part?.isWhole === true
      hits = [...hits, ...(part?.hits ?? [])]
        .toSorted((a, b) => a.rank - b.rank)
        .slice(0, limits.foundItems)
    }
    return { hits, exact }
  }

  async #lookIn(
    repo: DatasetRow,
    {
      folded,
      needed,
      isLate,
    }: { folded: string; needed: NeededGrams | undefined; isLate: () => boolean },
  ): Promise<{ hits: Hit[]; isWhole: boolean }> {
    const { reads } = this.#store
    const look = await this.#lookOf(repo)
    const upTo = await readHead(reads, repo.id)
    if (look === undefined) return { hits: [], isWhole: true }
    if ((await countSegments(reads, repo.id)) < Math.floor(upTo / segmentItems)) {
      this.#datasets.beginIndex(repo.id)
    }
    const scan = new Scan(this.#store, { repoId: repo.id, needed, bytesMax: look.bytesMax })
    const hits: Hit[] = []
    for (let from = 0; from < upTo;) {
      if (isLate()) return { hits, isWhole: false }
      const { rows, to } = await scan.next({ from, upTo }, (spans) =>
        look.find(
          spans.map((span) => ({ ...span, folded })),
          Infinity,
        ),
      )
      for (const [rank, position, id] of rows) hits.push({ repo, rank, position, id })
      from = to
    }
    return { hits, isWhole: true }
  }

  /** Undefined of a repository that is gone, or has no texts. */
  async #lookOf({ id, revision }: DatasetRow): Promise<Look | undefined> {
    const key = `${id} ${revision}`
    const cached = this.#looks.find(key)
    if (cached !== undefined) return cached.look
    const repo = await findDatasetById(this.#store.reads, id)
    if (repo === undefined) return undefined
    const look = this.#prepare(repo)
    this.#looks.put(key, { look })
    return look
  }

  #prepare(repo: Dataset): Look | undefined {
    const { id, schema } = repo
    const searched = searchedFields(schema)
    const label = labelField(labelSource(repo))
    const fields = layOutFields(schema).filter(({ name }) => searched.includes(name))
    if (fields.length === 0) return undefined
    const bytesMax = fields.reduce((sum, field) => sum + field.bytesMax, 1)
    const find: Look['find'] = this.#store.prepareBatchInWorker((slot) => {
      const begins = (isLabel: boolean) =>
        fields
          .filter(({ name }) => (name === label) === isLabel)
          .map(({ column }) => beginsSearched(itemRow(column), slot('folded')))
      const ranks = [true, false].flatMap((isLabel) =>
        [0, 1].flatMap((rank) =>
          begins(isLabel).map(
            (begin) =>
              sql`when ${begin} = ${sql.lit(rank)} then ${sql.lit(isLabel ? rank : rank + 2)}`,
          ),
        ),
      )
      // Each item is looked at once, rather than once more for each time that its rank is asked for.
      return sql`
        with looked as materialized (
          select case ${sql.join(ranks, sql` `)} end as rank, position, id
          from ${itemTable(id)} as r
          where position >= ${slot('from')} and position < ${slot('to')})
        select rank, position, id from looked where rank is not null
        order by rank, position limit ${sql.lit(limits.foundItems)}`
    })
    return { bytesMax, find }
  }

  /** Undefined where the item is gone. */
  async #describe(
    { repo, id }: Hit,
    folded: string,
    visibility: Visibility,
  ): Promise<FoundItem | undefined> {
    const read = await this.#read(repo.name, id)
    if (read?.stored.id !== repo.id) return undefined
    const { stored, item, label } = read
    const { schema } = stored
    const first = labelField(labelSource(stored))
    const searched = searchedFields(schema)
    const field = [first, ...searched].find((name) => {
      const value = name === undefined ? undefined : item.data[name]
      return typeof value === 'string' && searchBeginning(value, folded) !== undefined
    })
    if (field === undefined) return undefined
    const hidden = await listHiddenTargets(this.#store.reads, schema, visibility)
    return {
      dataset: repo.name,
      id,
      ...(label !== undefined && { label }),
      match: { field, text: labelText(item.data[field] as string) },
      about: await this.#about(item, { schema, hidden, without: [field, first] }),
    }
  }

  async #about(
    { data }: Item,
    {
      schema,
      hidden,
      without,
    }: {
      schema: readonly SchemaField[]
      /** Datasets whose labels are not shown. */
      hidden: ReadonlySet<string>
      without: readonly (string | undefined)[]
    },
  ): Promise<FoundItem['about']> {
    const about: FoundItem['about'] = []
    for (const field of schema) {
      if (about.length === limits.foundValues) break
      const value = data[field.name]
      if (value === undefined || without.includes(field.name)) continue
      if (wordlessTypes.includes(field.type)) continue
      if (field.type === 'reference') {
        if (!hidden.has(field.target)) about.push(await this.#labelOf(field.target, Number(value)))
      } else about.push(typeof value === 'string' ? labelText(value) : (value as number | boolean))
    }
    return about
  }

  async #labelOf(target: string, id: number): Promise<string> {
    return (await this.#read(target, id))?.label ?? `${target} ${id}`
  }

  async #read(
    name: string,
    id: number,
  ): Promise<{ stored: Dataset; item: Item; label: string | undefined } | undefined> {
    const dataset = await this.#datasets.find(name)
    const stored = dataset && (await findDatasetById(this.#store.reads, dataset.id))
    if (stored === undefined) return undefined
    const { value: item } = await dataset!.items.get(id, {}, limits.cut)
    if (item === undefined) return undefined
    const label = itemLabel(labelSource(stored), item)
    return { stored, item, label }
  }
}

/** Types whose values say little in a line. */
const wordlessTypes: readonly string[] = ['binary', 'json']
