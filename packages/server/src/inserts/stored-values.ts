import { textOf } from '@vitrine/contract'
import { everywhere, prepareRepoReads } from '../reading/plain-reads.ts'
import type { Dataset } from '../store/datasets.ts'
import type { StoredValue } from '../store/items.ts'
import { prepareOn } from '../store/prepare.ts'
import type { Db } from '../store/store.ts'

/** Reads the values of a committed item, by their fields. */
export async function readStoredValues(
  db: Db,
  repo: Dataset,
  itemId: number,
): Promise<Map<string, StoredValue>> {
  const item = await prepareRepoReads(prepareOn(db), repo).get({ itemId, to: everywhere })
  const values = new Map<string, StoredValue>()
  for (const field of repo.schema) {
    const seal = item?.integrity?.[field.name]
    if (seal === undefined) continue
    const cell = textOf(field)?.toCell(item!.data[field.name] as never) ?? seal.sha256
    values.set(field.name, { type: field.type, cell, ...seal })
  }
  return values
}
