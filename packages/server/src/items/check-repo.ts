import { hash } from 'node:crypto'
import { quote, valueBytes, type SealedItem } from '@vitrine/contract'
import { countHeldBlobs, findHeldBlob } from '../store/blobs.ts'
import { countItemsOf, type Dataset } from '../store/datasets.ts'
import { findInsert } from '../store/inserts.ts'
import { layOutFields, readItems } from '../store/items.ts'
import type { Db, Store } from '../store/store.ts'
import { hasItem } from '../views/compile-view.ts'

const windowRows = 500

/**
 * Checks the items of a repository: dense positions, every text and reference against its digest, every
 * reference against its target, every binary against the blobs that are noted for the item.
 * Yields what is wrong, and where.
 */
export async function* checkRepo(
  { reads: db, prepare }: Pick<Store, 'reads' | 'prepare'>,
  repo: Dataset,
): AsyncGenerator<{ where: string; what: string }> {
  const items = readItems(prepare, repo.id, layOutFields(repo.schema))
  const count = await countItemsOf(db, repo.id)
  for (let page = 0; page * windowRows <= count; page += 1) {
    const listed = await items.page({ page, pageSize: windowRows })
    const expected = Math.min(windowRows, count - page * windowRows)
    if (listed.length < expected) {
      const what = `only ${listed.length} of ${expected} items from position ${page * windowRows}`
      yield { where: repo.name, what }
    }
    for (const { id } of listed) {
      const item = await items.get(id)
      if (item === undefined) continue
      for (const what of await checkItem(db, repo, item)) {
        yield { where: `${repo.name}/${id}`, what }
      }
    }
  }
}

async function checkItem(db: Db, repo: Dataset, item: SealedItem): Promise<string[]> {
  const key = { datasetId: repo.id, itemId: item.id }
  const wrong: string[] = []
  const blobs = new Set<string>()
  for (const field of repo.schema) {
    const value = item.data[field.name]
    const seal = item.integrity?.[field.name]
    if (value === undefined || seal === undefined) {
      if (field.optional !== true) wrong.push(`${field.name} is missing`)
    } else if (field.type === 'binary') {
      blobs.add(seal.sha256)
      const held = await findHeldBlob(db, { ...key, sha256: seal.sha256 })
      if (held?.size !== seal.size)
        wrong.push(`${field.name} holds a blob that is not noted for it`)
    } else {
      if (hash('sha256', valueBytes(value)) !== seal.sha256) {
        wrong.push(`${field.name} is not what was sealed`)
      }
      if (field.type === 'reference' && !(await hasItem(db, field.target, Number(value)))) {
        wrong.push(`${field.name} refers to no item of ${quote(field.target)}`)
      }
    }
  }
  if ((await countHeldBlobs(db, key)) > blobs.size) wrong.push('more blobs are noted than it holds')
  if ((await findInsert(db, key)) !== undefined) wrong.push('its insert is still open')
  return wrong
}
