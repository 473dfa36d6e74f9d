import { foldSearch } from '@vitrine/contract'
import { sql } from 'kysely'
import { LruCache } from '../../runtime/lru-cache.ts'
import { beginning } from '../../store/expressions.ts'
import { itemRow } from '../../store/item-rows.ts'
import { itemTable, layOutFields } from '../../store/items.ts'
import { readHead } from '../../store/listings.ts'
import type { Db } from '../../store/store.ts'
import type { ReadableDataset } from '../compiled-datasets.ts'

/** Repositories whose labels are kept, items of one of them at most, and UTF-16 code units of a label. */
const bounds = { repos: 20, items: 1000, characters: 100 }

type Label = { id: number; folded: string }

/** Labels of the items before `head`; undefined where one of them is too long. */
type Labels = { head: number; labels: readonly Label[] | undefined }

/**
 * Folded labels of small repositories, in memory: a search looks in the labels of all that its references lead to before
 * it begins (docs/decisions/performance.md).
 */
export class LabelCache {
  readonly #db: Db
  readonly #byField = new LruCache<string, Labels>(bounds.repos)

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Finds the items of a repository whose labels have all of some folded words.
   * @returns their ids, or undefined where its labels are too many or too long
   */
  async find(
    { id, schema }: Pick<ReadableDataset, 'id' | 'schema'>,
    label: string,
    words: readonly string[],
  ): Promise<number[] | undefined> {
    // It may have been extended by that field meanwhile.
    const field = layOutFields(schema).find(({ name }) => name === label)
    if (field === undefined) return undefined
    const head = await readHead(this.#db, id)
    if (head > bounds.items) return undefined
    const key = `${id} ${label}`
    let known = this.#byField.find(key)
    if (known?.head !== head) {
      known = { head, labels: await this.#read(id, field.column, head) }
      this.#byField.put(key, known)
    }
    return known.labels
      ?.filter(({ folded }) => words.every((word) => folded.includes(word)))
      .map(({ id }) => id)
  }

  async #read(id: number, column: string, head: number): Promise<Label[] | undefined> {
    // One code point more than is kept tells a label that is longer: it has one code unit at least.
    const text = beginning(itemRow(column), bounds.characters + 1)
    const { rows } = await sql<{ id: number; text: string | null }>`
      select id, ${text} as text from ${itemTable(id)} as r
      where position < ${head} order by position`.execute(this.#db)
    const labels = rows.map((row) => ({ id: row.id, text: row.text ?? '' }))
    const isLong = labels.some(({ text }) => text.length > bounds.characters)
    return isLong ? undefined : labels.map(({ id, text }) => ({ id, folded: foldSearch(text) }))
  }
}
