import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf, type SchemaField } from '@vitrine/contract'
import { sql } from 'kysely'
import type { SampleDataset, SampleItem, SampleValue } from '../../contract/test/sample-world.ts'
import type { Author } from '../src/access/identity.ts'
import { createRepo } from '../src/datasets/create-repo.ts'
import { createView } from '../src/datasets/create-view.ts'
import { insertCorrection } from '../src/store/corrections.ts'
import { type Dataset, findDataset } from '../src/store/datasets.ts'
import { insertItem, itemTable, type StoredValue } from '../src/store/items.ts'
import type { Store } from '../src/store/store.ts'
import type { Budgets } from '../src/listings/catch-up.ts'
import { DatasetReader, type DatasetReaderOptions } from '../src/reading/dataset-reader.ts'
import type { Sizes } from '../src/listings/sizes.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { sha256 } from './photos.ts'

const identity = { issuer: 'https://example.org', subject: 'alice' }
const author: Author = { identity, visibility: 'all' }

/** Nothing is answered before all of it is known. */
const patient: Budgets = { partial: 60_000, whole: 60_000, preview: 60_000, background: 60_000 }

/** The server's operations on a database of its own, without HTTP. */
export class SampleStore {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vitrine-views-'))
  #database!: TestDatabase
  readonly #sizes: Sizes | undefined
  readonly #options: Partial<DatasetReaderOptions>
  readonly #errors: unknown[] = []
  readonly #repos = new Map<string, Dataset>()
  store!: Store
  datasets!: DatasetReader

  private constructor(sizes: Sizes | undefined, options: Partial<DatasetReaderOptions>) {
    this.#sizes = sizes
    this.#options = options
  }

  static async open(
    sizes?: Sizes,
    options: Partial<DatasetReaderOptions> = {},
  ): Promise<SampleStore> {
    const sample = new SampleStore(sizes, options)
    sample.#database = await createTestDatabase(sample.#folder)
    await sample.#start()
    return sample
  }

  async #start(): Promise<void> {
    this.store = await this.#database.open()
    this.datasets = new DatasetReader(this.store, {
      budgets: patient,
      ...(this.#sizes && { sizes: this.#sizes }),
      onError: (error) => this.#errors.push(error),
      ...this.#options,
    })
  }

  async #stop(): Promise<void> {
    await this.datasets.stop()
    await this.store.close()
    if (this.#errors.length > 0) throw this.#errors[0]
  }

  async restart(): Promise<void> {
    await this.#stop()
    await this.#start()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop()
    await this.#database.drop()
    rmSync(this.#folder, { recursive: true })
  }

  async create(dataset: SampleDataset): Promise<void> {
    if ('view' in dataset) {
      await createView(this.store, dataset.view, author)
      return this.datasets.begin(dataset.name)
    }
    const { name, schema } = dataset
    await createRepo(this.store, { name, schema }, author)
    this.#repos.set(name, (await findDataset(this.store.reads, name))!)
  }

  /** Adds an item with the id and moment that it has. */
  commit(repoName: string, { id, createdAt, data, replaces }: SampleItem): Promise<void> {
    const repo = this.#repos.get(repoName)!
    const values = Object.entries(data).map(([name, value]) => {
      const field = repo.schema.find((each) => each.name === name)!
      return [name, stored(field, value)] as const
    })
    return this.store.write(async (transaction) => {
      const position = await insertItem(transaction, repo, {
        id,
        values: new Map(values),
        author: 'issuer somebody',
      })
      await sql`
        update ${itemTable(repo.id)} set created_at = ${createdAt}
        where position = ${position}`.execute(transaction)
      if (replaces !== undefined) {
        const correction = {
          replaces: replaces.id,
          withdraws: replaces.withdraws,
          reason: 'a test',
        }
        await insertCorrection(transaction, { repoId: repo.id, id, position }, correction)
      }
    })
  }

  /** Forgets all that views keep, as when a database is brought back without it. */
  async forgetListings(): Promise<void> {
    await this.store.write((transaction) =>
      transaction.updateTable('listings').set({ state: 'dropped' }).execute(),
    )
    await this.restart()
  }
}

function stored(field: SchemaField, value: SampleValue): StoredValue {
  const { type } = field
  if (typeof value === 'object' && 'sha256' in value) {
    const { sha256, mime, bytes: size } = value
    return { type, cell: sha256, sha256, mime, size }
  }
  const { toCell, toText } = textOf(field)!
  const plain = typeof value === 'object' ? value.json : value
  const text = toText(plain)
  return { type, cell: toCell(plain), sha256: sha256(text), size: Buffer.byteLength(text) }
}
