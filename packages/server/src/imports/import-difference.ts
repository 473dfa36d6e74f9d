// Runs on the main thread.

import { type ImportedItem, type SchemaField, valueOf } from '@vitrine/contract'
import { readOwnBlob } from '../blobs/read-blob.ts'
import { fail } from '../failure.ts'
import { type Dataset, findDatasetById } from '../store/datasets.ts'
import { listImportBlobs } from '../store/import-blobs.ts'
import type { RowCorrection } from '../store/import-items.ts'
import type { ImportRow } from '../store/imports.ts'
import type { Cell } from '../store/item-rows.ts'
import { columnsOf } from '../store/items.ts'
import { requirePageBytes } from '../reading/page-bytes.ts'
import { readKeyedBytes, readKeyedRows } from '../store/keyed-items.ts'
import type { ImportContext } from './import-context.ts'
import { unpackRows } from './rows/packed-rows.ts'

type CheckedItem = { correction: RowCorrection | undefined; cells: Cell[] }

/**
 * Lists what a checked import is to add, in the order of its file, by the values that differ.
 * @throws Failure IMPORT_NOT_CHECKED, PAGE_TOO_LARGE
 */
export async function listDifference(
  context: Pick<ImportContext, 'store' | 'blobs'>,
  row: ImportRow,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<ImportedItem[]> {
  const { reads } = context.store
  const repo = await findDatasetById(reads, row.dataset_id)
  if (row.state !== 'checked' || repo === undefined) throw fail('IMPORT_NOT_CHECKED')
  const from = page * pageSize
  const items = await readCheckedItems(context, row.id, { from, to: from + pageSize })
  const values = items.flatMap(({ correction }) => correction?.replaces ?? [])
  const state = { repo, at: row.matched_at ?? 0 }
  const wanted = { by: 'id' as const, values, fields: [] }
  requirePageBytes(await readKeyedBytes(reads, state, wanted))
  const stored = await readKeyedRows(reads, state, wanted)
  const cellsById = new Map(stored.map(({ id, cells }) => [id, cells]))
  return items.map(({ correction, cells }) => ({
    replaces: correction?.replaces ?? null,
    ...(correction?.withdraws === true && { withdraws: true }),
    values: compare(repo.schema, correction && cellsById.get(correction.replaces), cells),
  }))
}

async function readCheckedItems(
  { store, blobs }: Pick<ImportContext, 'store' | 'blobs'>,
  importId: number,
  { from, to }: { from: number; to: number },
): Promise<CheckedItem[]> {
  const parts = await listImportBlobs(store.reads, importId, 'checked')
  const items: CheckedItem[] = []
  for (const [index, part] of parts.entries()) {
    const end = parts[index + 1]?.start ?? Infinity
    if (end <= from || part.start >= to) continue
    let at = part.start
    for (const { count, rows, corrections } of unpackRows(await readOwnBlob(blobs, part))) {
      if (at + count > from && at < to) {
        const listed = JSON.parse(Buffer.from(rows).toString()) as Cell[][]
        for (const [row, cells] of listed.entries()) {
          if (at + row < from || at + row >= to) continue
          items.push({ correction: corrections?.[row], cells })
        }
      }
      at += count
    }
  }
  return items
}

function compare(
  schema: Dataset['schema'],
  before: readonly Cell[] | undefined,
  after: readonly Cell[],
): ImportedItem['values'] {
  const values: ImportedItem['values'] = {}
  let at = 0
  for (const [index, field] of schema.entries()) {
    const count = columnsOf(field, index).length
    const cellsOf = (cells: readonly Cell[] | undefined) => cells?.slice(at, at + count) ?? []
    const [old, next] = [cellsOf(before), cellsOf(after)]
    at += count
    // A field that the repository has since: rows that were checked before have nothing of it.
    if (next.length === 0) continue
    if (old.length === next.length && old.every((cell, each) => cell === next[each])) continue
    const difference = { ...sideOf('before', field, old[0]), ...sideOf('after', field, next[0]) }
    if (before !== undefined || next[0] !== null) values[field.name] = difference
  }
  return values
}

function sideOf(side: 'before' | 'after', field: SchemaField, cell: Cell | undefined) {
  return cell === null || cell === undefined ? {} : { [side]: valueOf(field, cell) }
}
