// Runs on the main thread.

import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { unpackedMax } from '@vitrine/rows/unpacked-bound'
import type { Dataset } from '../store/datasets.ts'
import { dropImportBlobs, listImportBlobs } from '../store/import-blobs.ts'
import { dropRefusals } from '../store/import-refusals.ts'
import { type ImportChanges, type ImportRow, updateImport } from '../store/imports.ts'
import type { Lease } from '../store/leases.ts'
import { readHead } from '../store/listings.ts'
import { listHiddenTargets } from '../store/visibility.ts'
import { keepRows, unpackArchive } from './archives/unpack-archive.ts'
import { CheckTally } from './check-tally.ts'
import { CheckedSpool } from './checked-spool.ts'
import { Checkers } from './check-pool.ts'
import { type ImportOptions, readOptions } from './import-options.ts'
import type { ImportContext } from './import-context.ts'
import { ImportedFile } from './import-file.ts'
import { mapInOrder } from './in-order.ts'
import { prepareMatch } from './match-items.ts'
import { type RowsFormat, openRows } from './open-rows.ts'
import { prepareResolve } from './resolve-lookups.ts'
import { isGzip, unpackGzip } from './unpack-gzip.ts'
import { unpackWorkbook } from './unpack-workbook.ts'
import type { CheckedBlock } from './rows/check-block.ts'
import type { Block } from './rows/raw-row.ts'

/** Blocks in flight per thread; results are taken in order, so a thread needs a backlog. */
const blocksEach = 4
/** Refusals removed in one write. */
const batch = 5000

/**
 * Checks the rows of an import, from the first one: what an earlier check has kept is dropped. Rows are matched with the
 * items that are current then.
 * @throws Failure IMPORT_MALFORMED, IMPORT_REFUSED, STORAGE_FULL; LeaseLost
 */
export async function checkImport(
  context: ImportContext,
  { row, repo, lease }: { row: ImportRow; repo: Dataset; lease: Lease },
): Promise<void> {
  const { id, options: written, received_bytes: received } = row
  await forgetCheck(context, id)
  const options = readOptions(written)
  const { match, mode } = options
  const { file, format } = await openFile(context, { id, options, lease })
  const rows = await openRows(file, { format, repo, options, checkPool: context.checkPool })
  const visibility = row.reads_all === 1 ? 'all' : await context.visibilityOf(row)
  const { schema } = repo
  const hidden = await listHiddenTargets(context.store.reads, schema, visibility)
  const lookingUp = { importId: id, schema, lease, visibility, hidden }
  const at = await readHead(context.store.reads, repo.id)
  const resolve = {
    lookUp: prepareResolve(context, lookingUp),
    match: prepareMatch(context, { repo, at }, { match: match ?? [], lease }),
  }
  const checkers = new Checkers(context.checkPool, { config: rows.config, file, resolve })
  const unpackedBytesMax = unpackedMax(received)
  const { linesBefore } = rows
  const tally = new CheckTally({ mode, match, linesBefore, unpackedBytesMax })
  const spool = new CheckedSpool(context, id)
  try {
    const concurrency = checkers.size * blocksEach
    const checked = mapInOrder(rows.blocks, concurrency, ({ content }) => checkers.check(content))
    for await (const { block, result } of inParts(checked, checkers)) {
      lease.check()
      spool.add(tally.take(block, result))
      if (spool.isFull) await spool.flush(tally.progress)
      if (tally.isOver) break
    }
    await spool.end(tally.progress)
  } finally {
    await spool.settle()
    await checkers.close()
  }
  if (tally.failure !== undefined) throw tally.failure
  await recordOutcome(context, id, {
    progress: tally.progress,
    matchedAt: match === undefined ? null : at,
  })
}

/** Records what a check has come to, so that one that is made again can be told from it. */
async function recordOutcome(
  { store }: ImportContext,
  id: number,
  { progress, matchedAt }: { progress: ImportChanges; matchedAt: number | null },
): Promise<void> {
  const checked = await listImportBlobs(store.reads, id, 'checked')
  const outcome = hash('sha256', JSON.stringify([progress, checked.map(({ sha256 }) => sha256)]))
  await store.write((transaction) =>
    updateImport(transaction, id, { matched_at: matchedAt, outcome }),
  )
}

/** Blocks that were checked, and after each those that it left rows for. */
async function* inParts(
  checked: AsyncIterable<{ value: Block; result: CheckedBlock }>,
  checkers: Checkers,
): AsyncGenerator<{ block: Block; result: CheckedBlock }> {
  for await (const { value: block, result } of checked) {
    let part = result
    yield { block, result: part }
    while (part.rest !== undefined) {
      part = await checkers.check(part.rest)
      yield { block, result: part }
    }
  }
}

/** The file of rows: the one that was sent, or what is packed in it. */
async function openFile(
  context: ImportContext,
  { id, options, lease }: { id: number; options: ImportOptions; lease: Lease },
): Promise<{ file: ImportedFile; format: RowsFormat }> {
  const open = (kind: 'sent' | 'tar' | 'workbook' | 'rows') =>
    ImportedFile.open({ reads: context.store.reads, blobs: context.blobs }, id, kind)
  const { format, encoding } = options
  const file = await open('sent')
  if (format !== 'zip' && format !== 'tar') {
    if (format === 'parquet') return { file, format }
    if (format === 'xlsx') {
      await unpackWorkbook(context, { importId: id, file, options, lease })
      return { file: await open('rows'), format }
    }
    if (await isGzip(file)) {
      await unpackGzip(context, { importId: id, file, encoding, lease, kind: 'rows' })
    } else if (encoding === undefined) return { file, format }
    else {
      const open = async () => Readable.from(file.stream(), { objectMode: false })
      const entry = { name: `in ${encoding}`, size: file.size, open }
      await keepRows(context, id, { entry, encoding, lease })
    }
    return { file: await open('rows'), format }
  }
  const isPacked = format === 'tar' && (await isGzip(file))
  if (isPacked) await unpackGzip(context, { importId: id, file, lease, kind: 'tar' })
  const archive = isPacked ? await open('tar') : file
  const inner = await unpackArchive(context, {
    importId: id,
    file: archive,
    format,
    encoding,
    lease,
  })
  if (inner === 'xlsx') {
    await unpackWorkbook(context, { importId: id, file: await open('workbook'), options, lease })
  }
  if (isPacked || inner === 'xlsx') {
    await context.store.write((transaction) =>
      dropImportBlobs(transaction, id, ['tar', 'workbook']),
    )
  }
  return { file: await open('rows'), format: inner }
}

async function forgetCheck({ store }: ImportContext, id: number): Promise<void> {
  while (await store.write((transaction) => dropRefusals(transaction, id, batch)));
  await store.write(async (transaction) => {
    await dropImportBlobs(transaction, id, ['checked', 'held', 'file', 'tar', 'workbook', 'rows'])
    await updateImport(transaction, id, {
      checked_bytes: 0,
      rows: 0,
      refused_rows: 0,
      changed_rows: 0,
      unchanged_rows: 0,
      matched_at: null,
      outcome: null,
    })
  })
}
