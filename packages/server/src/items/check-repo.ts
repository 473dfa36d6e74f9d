import { hash } from 'node:crypto'
import { quote, valueBytes, type SealedItem } from '@vitrine/contract'
import { countHeldBlobs, findHeldBlob } from '../store/blobs.ts'
import { countItemsOf, findRepoId, type Dataset } from '../store/datasets.ts'
import { findInsert } from '../store/inserts.ts'
import { hasStoredItem } from '../store/items.ts'
import type { Db, Store } from '../store/store.ts'
import { everywhere, prepareRepoReads } from '../views/plain-reads.ts'

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
  const items = prepareRepoReads(prepare, repo)
  const count = await countItemsOf(db, repo.id)
  for (let page = 0; page * windowRows <= count; page += 1) {
    const from = page * windowRows
    const listed = await items.range({ from, to: from + windowRows })
    const expected = Math.min(windowRows, count - from)
    if (listed.length < expected) {
      const what = `only ${listed.length} of ${expected} items from position ${from}`
      yield { where: repo.name, what }
    }
    for (const { id } of listed) {
      const item = await items.get({ itemId: id, to: everywhere })
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
      // A view may have let go of an item that it had when the reference was made.
      const target = field.type === 'reference' ? await findRepoId(db, field.target) : undefined
      const isThere = target !== undefined && (await hasStoredItem(db, target, Number(value)))
      if (field.type === 'reference' && !isThere) {
        wrong.push(`${field.name} refers to no item of ${quote(field.target)}`)
      }
    }
  }
  if ((await countHeldBlobs(db, key)) > blobs.size) wrong.push('more blobs are noted than it holds')
  if ((await findInsert(db, key)) !== undefined) wrong.push('its insert is still open')
  return wrong
}
