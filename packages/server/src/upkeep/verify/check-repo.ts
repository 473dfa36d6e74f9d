import { quote } from '@vitrine/contract'
import { Failure } from '../../failure.ts'
import { listHeldBlobs } from '../../store/blobs.ts'
import type { Dataset } from '../../store/datasets.ts'
import { listOpenInserts } from '../../store/inserts.ts'
import { headAnywhere, listMissingItems } from '../../store/items.ts'
import {
  type SealedRow,
  type SealedRows,
  brokenSeals,
  prepareSealedRows,
} from '../../store/sealed-rows.ts'
import type { Db, Store } from '../../store/store.ts'

const windowRows = 500

/** A repository to check, which may be a deleted one. */
export type CheckedRepo = {
  repo: Dataset
  count: number
  /** The repository whose items a dataset has that a field refers to. */
  findTarget: (name: string) => Promise<number | undefined>
}

/**
 * Checks the items of a repository: dense positions, every text and reference against its digest, every
 * reference against its target, every binary against the blobs that are noted for the item.
 * Yields what is wrong, and where.
 */
export async function* checkRepo(
  { reads: db, prepare }: Pick<Store, 'reads' | 'prepare'>,
  checked: CheckedRepo,
): AsyncGenerator<{ where: string; what: string }> {
  const { repo, count } = checked
  const rows = prepareSealedRows(prepare, repo, headAnywhere(repo.id))
  let fault: string | undefined
  const setFault = (error: Error) => {
    if (error instanceof Failure) throw error
    fault = error.message
    return undefined
  }
  for (let page = 0; page * windowRows <= count; page += 1) {
    const from = page * windowRows
    const listed = await rows.range({ from, to: from + windowRows }).catch((cause: Error) => {
      if (cause instanceof Failure) throw cause
      throw new Error(`from position ${from}: ${cause.message}`, { cause })
    })
    const expected = Math.min(windowRows, count - from)
    if (listed.length < expected) {
      const what = `only ${listed.length} of ${expected} items from position ${from}`
      yield { where: repo.name, what }
    }
    const sources =
      fault === undefined ? await readKnown(db, checked, listed).catch(setFault) : undefined
    for (const row of listed) {
      for (const what of checkRow({ repo, rows, sources }, row)) {
        yield { where: `${repo.name}/${row.id}`, what }
      }
    }
  }
  if (fault !== undefined) {
    yield { where: repo.name, what: `what is noted for its items cannot be read (${fault})` }
  }
}

/** Data of some items outside of their rows. */
type Known = {
  /** Sizes of the blobs that are noted for an item, by their digests; none where a blob is not in use. */
  held: Map<number, Map<string, number | null>>
  openInserts: Set<number>
  /** By the name of a field: the items that it refers to and that are not there. */
  missing: Map<string, Set<number>>
}

async function readKnown(
  db: Db,
  { repo, findTarget }: CheckedRepo,
  rows: readonly SealedRow[],
): Promise<Known> {
  const these = { datasetId: repo.id, itemIds: rows.map(({ id }) => id) }
  const held: Known['held'] = new Map()
  for (const { itemId, sha256, size } of await listHeldBlobs(db, these)) {
    if (!held.has(itemId)) held.set(itemId, new Map())
    held.get(itemId)!.set(sha256, size)
  }
  const missing: Known['missing'] = new Map()
  for (const [at, field] of repo.schema.entries()) {
    if (field.type !== 'reference') continue
    const ids = rows.map(({ cells }) => cells[at]!).filter((id) => id !== null) as number[]
    // A view may have let go of an item that it had when the reference was made.
    const target = await findTarget(field.target)
    const lacking =
      target === undefined ? ids : await listMissingItems(db, target, ids, headAnywhere(target))
    missing.set(field.name, new Set(lacking))
  }
  return { held, openInserts: new Set(await listOpenInserts(db, these)), missing }
}

function checkRow(
  { repo, rows, sources }: { repo: Dataset; rows: SealedRows; sources: Known | undefined },
  row: SealedRow,
): string[] {
  const wrong = brokenSeals(rows.fields, row).map(({ field }) => `${field} is not what was sealed`)
  if (sources === undefined) return wrong
  const held = sources.held.get(row.id) ?? new Map<string, number | null>()
  const blobs = new Set<string>()
  for (const [at, field] of repo.schema.entries()) {
    const cell = row.cells[at]!
    if (cell === null) {
      if (field.optional !== true) wrong.push(`${field.name} is missing`)
    } else if (field.type === 'binary') {
      blobs.add(String(cell))
      if (held.get(String(cell)) !== row.sizes[at]) {
        wrong.push(`${field.name} holds a blob that is not noted for it`)
      }
    } else if (field.type === 'reference' && sources.missing.get(field.name)!.has(Number(cell))) {
      wrong.push(`${field.name} refers to no item of ${quote(field.target)}`)
    }
  }
  if (held.size > blobs.size) wrong.push('more blobs are noted than it holds')
  if (sources.openInserts.has(row.id)) wrong.push('its insert is still open')
  return wrong
}
