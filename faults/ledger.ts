import { ApiError, importFile, openReply, type Client } from '@vitrine/client'
import type { IntegrityByField, Item } from '@vitrine/contract'
import { sha256 } from '../packages/server/test/photos.ts'

export const things = 'things'
export const rows = 'rows'
const pageSize = 1000

/** Replies that clients got, and therefore may rely on. */
export class Ledger {
  /** By id, what was signed off by commits that were acknowledged. */
  readonly acknowledged = new Map<number, IntegrityByField>()
  /** Commits that were sent and have no reply, by id, with what they signed off. */
  readonly unsettled = new Map<number, IntegrityByField>()
  /** Ids that were given out: to inserts that were committed, and to those that were not. */
  readonly ids = new Set<number>()
  /** Imports that were begun and are not known to be done, by key, with their rows. */
  readonly imports = new Map<string, string[]>()
  /** Datasets whose creation was acknowledged and whose deletion was not sent. */
  readonly there = new Set<string>()
  /** Datasets whose deletion was acknowledged. */
  readonly gone = new Set<string>()
  /** In words, what is not as it was acknowledged. */
  readonly lost: string[] = []
  /** Committed items and imported rows that were compared. */
  items = 0
  rows = 0

  /**
   * Asks once more for what was sent and not answered: each call is the same twice as once. A power cut may take
   * back an insert, and what was uploaded for it, that no commit made durable.
   */
  async settle(client: Client, { isCut }: { isCut: boolean }): Promise<void> {
    for (const [itemId, integrity] of this.unsettled) {
      try {
        await client.insertCommit({ datasetId: things, itemId, body: { integrity } })
        this.acknowledge(itemId, integrity)
      } catch (error) {
        const isTakenBack = error instanceof ApiError && [404, 422].includes(error.status)
        if (!isCut || !isTakenBack) throw error
        this.unsettled.delete(itemId)
      }
    }
    for (const [key, lines] of this.imports) {
      const { state } = await importRows(client, key, lines)
      if (state === 'done') this.importDone(key)
      else this.lost.push(`import ${key} ended as ${state}`)
    }
  }

  /** Notes an id that an insert was begun with: nobody else may ever get it. */
  begun(id: number): void {
    if (this.ids.has(id)) this.lost.push(`id ${id} was given out again`)
    this.ids.add(id)
  }

  acknowledge(id: number, integrity: IntegrityByField): void {
    this.unsettled.delete(id)
    this.acknowledged.set(id, integrity)
    this.#unseenItems.add(id)
  }

  importDone(key: string): void {
    for (const text of this.imports.get(key)!) this.#unseenRows.add(text)
    this.imports.delete(key)
  }

  readonly #unseenItems = new Set<number>()
  readonly #unseenRows = new Set<string>()

  /** Compares what was added since the last comparison with what was acknowledged. */
  async compare(client: Client): Promise<void> {
    await this.#compareItems(client)
    await this.#compareRows(client)
    const names = await datasetNames(client)
    for (const name of this.there) if (!names.has(name)) this.lost.push(`dataset ${name}`)
    for (const name of this.gone) {
      if (names.has(name)) this.lost.push(`dataset ${name} is back after its deletion`)
    }
  }

  /** Compares every item again, also those that were right before. */
  async compareAll(client: Client): Promise<void> {
    this.items = 0
    for (const id of this.acknowledged.keys()) this.#unseenItems.add(id)
    await this.compare(client)
  }

  async #compareItems(client: Client): Promise<void> {
    const { totalItems } = await client.datasetCount({ datasetId: things })
    for (let page = Math.floor(this.items / pageSize); page * pageSize < totalItems; page += 1) {
      const items = await client.datasetItemList({ datasetId: things, page, pageSize })
      for (const item of items.slice(this.items - page * pageSize)) {
        this.#compareItem(item)
        this.items += 1
      }
    }
    if (this.items !== totalItems) this.lost.push(`${totalItems - this.items} counted items`)
    for (const id of this.#unseenItems) this.lost.push(`item ${id}`)
    this.#unseenItems.clear()
  }

  #compareItem({ id, data }: Item): void {
    const signed = this.acknowledged.get(id)
    if (signed === undefined || !this.#unseenItems.delete(id)) {
      this.lost.push(`item ${id} is there twice, or nobody committed it`)
      return
    }
    for (const name of otherFields(data, signed)) {
      this.lost.push(`item ${id}: ${name} is another`)
    }
  }

  async #compareRows(client: Client): Promise<void> {
    const { totalItems } = await client.datasetCount({ datasetId: rows })
    if (totalItems > this.rows) {
      const at = { datasetId: rows, format: 'ndjson', from: this.rows } as const
      const lines = (await (await openReply(client, 'datasetExport', at)).text()).split('\n')
      for (const line of lines.filter((each) => each !== '')) {
        const { text } = JSON.parse(line) as { text: string }
        if (!this.#unseenRows.delete(text))
          this.lost.push(`row ${text} is there twice, or too much`)
        this.rows += 1
      }
    }
    if (this.rows !== totalItems) this.lost.push(`${totalItems - this.rows} counted rows`)
    for (const text of this.#unseenRows) this.lost.push(`row ${text}`)
    this.#unseenRows.clear()
  }
}

/** The fields of a thing whose value is not the one that was signed off. */
export function otherFields(data: Item['data'], signed: IntegrityByField): string[] {
  const values = data as Record<string, string | number>
  return Object.entries(signed)
    .filter(([name, { sha256: digest }]) => {
      const text = String(values[name])
      return (name === 'file' ? text : sha256(text)) !== digest
    })
    .map(([name]) => name)
}

async function datasetNames(client: Client): Promise<Set<string>> {
  const names = new Set<string>()
  for (let page = 0; ; page += 1) {
    const list = await client.datasetList({ page, pageSize })
    for (const { name } of list) names.add(name)
    if (list.length < pageSize) return names
  }
}

/** Imports texts, each of them a row; the same key again is the same import. */
export function importRows(
  client: Client,
  key: string,
  lines: readonly string[],
  signal?: AbortSignal,
) {
  const body = new Blob([lines.map((text) => `${JSON.stringify({ text })}\n`).join('')])
  return importFile(client, rows, body, { format: 'ndjson', key, failuresMax: 3, signal })
}
