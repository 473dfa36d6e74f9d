// Runs on the main thread.

import { Readable } from 'node:stream'
import type { Problem, Refusal } from '@vitrine/contract'
import { sayTooLong } from '@vitrine/rows/row-block'
import { unpackedMax, unpacksTooFar } from '@vitrine/rows/unpacked-bound'
import { Failure } from '../failure.ts'
import type { Dataset } from '../store/datasets.ts'
import { dropImportBlobs } from '../store/import-blobs.ts'
import { dropRefusals } from '../store/import-refusals.ts'
import { type ImportRow, updateImport } from '../store/imports.ts'
import type { Lease } from '../store/leases.ts'
import { listHiddenTargets } from '../store/visibility.ts'
import { keepRows, unpackArchive } from './archives/unpack-archive.ts'
import { CheckedSpool } from './checked-spool.ts'
import { Checkers } from './check-pool.ts'
import { type ImportOptions, readOptions } from './import-options.ts'
import type { ImportContext } from './import-context.ts'
import { ImportedFile, malformed } from './import-file.ts'
import { mapInOrder } from './in-order.ts'
import { type RowsFormat, openRows } from './open-rows.ts'
import { prepareResolve } from './resolve-lookups.ts'
import { isGzip, unpackGzip } from './unpack-gzip.ts'
import { unpackWorkbook } from './unpack-workbook.ts'
import type { CheckedBlock } from './rows/check-block.ts'
import type { Block } from './rows/raw-row.ts'

/** An import that takes all or nothing looks for so many refused rows before it gives up. */
const refusedMax = 10_000
/** An error reply names so many of them. */
const namedMax = 20
/** Blocks in flight per thread; results are taken in order, so a thread needs a backlog. */
const blocksEach = 4
/** Refusals removed in one write. */
const batch = 5000

/**
 * Checks the rows of an import, from the first one: what an earlier check that was cut short has kept is
 * dropped.
 * @throws Failure IMPORT_MALFORMED, IMPORT_REFUSED, STORAGE_FULL; LeaseLost
 */
export async function checkImport(
  context: ImportContext,
  { row, repo, lease }: { row: ImportRow; repo: Dataset; lease: Lease },
): Promise<void> {
  const { id, options: written, received_bytes: received } = row
  await forgetCheck(context, id)
  const options = readOptions(written)
  const { file, format } = await openFile(context, { id, options, lease })
  const rows = await openRows(file, { format, repo, options, checkPool: context.checkPool })
  const visibility = row.reads_all === 1 ? 'all' : await context.visibilityOf(row)
  const { schema } = repo
  const hidden = await listHiddenTargets(context.store.reads, schema, visibility)
  const lookingUp = { importId: id, schema, lease, visibility, hidden }
  const resolve = prepareResolve(context, lookingUp)
  const checkers = new Checkers(context.checkPool, { config: rows.config, file, resolve })
  const unpackedBytesMax = unpackedMax(received)
  const tally = new Tally(options.mode, { linesBefore: rows.linesBefore, unpackedBytesMax })
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
    await updateImport(transaction, id, { checked_bytes: 0, rows: 0, refused_rows: 0 })
  })
}

/** Counts rows over the blocks of a file, and knows when there is no point in going on. */
class Tally {
  readonly #mode: 'all' | 'skip'
  #lines: number | null
  #rows = 0
  #refusedRows = 0
  #checkedBytes = 0
  readonly #unpackedBytesMax: number
  #unpackedBytes = 0
  #named: Problem[] = []
  #malformed: Failure | undefined

  constructor(
    mode: 'all' | 'skip',
    { linesBefore, unpackedBytesMax }: { linesBefore: number | null; unpackedBytesMax: number },
  ) {
    this.#mode = mode
    this.#lines = linesBefore
    this.#unpackedBytesMax = unpackedBytesMax
  }

  /** Returns the rows of a checked block, with positions in the file instead of in the block. */
  take(
    block: Block,
    result: CheckedBlock,
  ): { checked: Uint8Array; rows: number; refusals: Refusal[] } {
    const place = <T extends { row: number; line: number | null }>(at: T): T => ({
      ...at,
      row: this.#rows + at.row + 1,
      line: at.line === null || this.#lines === null ? null : this.#lines + at.line + 1,
    })
    this.#unpackedBytes += result.unpackedBytes ?? 0
    const fatal = block.isCut
      ? { row: 0, line: 0, reason: sayTooLong(result.unreadable) }
      : this.#unpackedBytes > this.#unpackedBytesMax
        ? { row: 0, line: null, reason: unpacksTooFar }
        : (result.unreadable ?? (this.#mode === 'all' ? result.malformed : undefined))
    const refusals = block.isCut ? [] : result.refusals.map(place)
    if (fatal !== undefined) {
      const { row, line, reason } = place(fatal)
      this.#malformed = malformed(line === null ? reason : `line ${line} ${reason}`, row)
      if (fatal !== result.malformed) refusals.push({ row, line, field: null, reason, value: null })
    }
    for (const { row, field, reason } of refusals.slice(0, namedMax - this.#named.length)) {
      this.#named.push({ path: field === null ? [row] : [row, field], reason })
    }
    this.#rows += result.rows
    this.#refusedRows += result.refusedRows
    if (this.#lines !== null) this.#lines += result.lines
    this.#checkedBytes = block.end
    const isWasted = this.#mode === 'all' && (this.#refusedRows > 0 || fatal !== undefined)
    return {
      checked: isWasted ? new Uint8Array() : result.checked,
      rows: isWasted ? 0 : result.acceptedRows,
      refusals,
    }
  }

  get isOver(): boolean {
    return (
      this.#malformed !== undefined || (this.#mode === 'all' && this.#refusedRows >= refusedMax)
    )
  }

  get progress() {
    const refused_rows = this.#refusedRows
    return { rows: this.#rows, refused_rows, checked_bytes: this.#checkedBytes }
  }

  get failure(): Failure | undefined {
    if (this.#malformed !== undefined || this.#mode === 'skip' || this.#refusedRows === 0) {
      return this.#malformed
    }
    const details = { problems: this.#named, refusedRows: this.#refusedRows }
    return new Failure('IMPORT_REFUSED', { details })
  }
}
