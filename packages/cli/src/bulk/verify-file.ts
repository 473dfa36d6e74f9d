import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { readRows } from '@vitrine/rows/read-rows'
import { UnreadableFile, type RowBatch } from '@vitrine/rows/row-batch'
import { ShownValue } from '@vitrine/rows/workbook/shown-value'
import { CommandError, UsageError } from '../command/command.ts'
import { openFile, unreadable } from '../command/files.ts'
import { checkRow } from './check-row.ts'
import { type Row, rowsOf, verifyProofFile } from '@vitrine/client'
import type { Verified, VerifyOptions } from './verified.ts'

/** `key` is the verifier key that has to have signed a bundle or a proof; that of a bundle is its own otherwise. */
export type VerifyFileOptions = VerifyOptions & { key?: string | undefined }

/** Ending of the name of a file with the proof of an item (https://c2sp.org/tlog-proof). */
export const proofEnding = '.tlog-proof'

/** How the rows of an export are read, by how the name of its file ends. */
const readers: Record<string, (file: string, signal: AbortSignal) => AsyncIterable<Row>> = {
  '.ndjson': (file, signal) => rowsOf(createReadStream(file, { signal })),
  '.jsonl': (file, signal) => rowsOf(createReadStream(file, { signal })),
  '.csv': async function* (file) {
    yield* rowsOfBatches(readRows(await openFile(file, ''), { format: 'csv', delimiter: ',' }))
  },
  '.tsv': async function* (file) {
    yield* rowsOfBatches(readRows(await openFile(file, ''), { format: 'tsv', delimiter: '\t' }))
  },
  '.parquet': async function* (file) {
    yield* rowsOfBatches(readRows(await openFile(file, ''), { format: 'parquet' }))
  },
  '.xlsx': async function* (file) {
    yield* rowsOfBatches(readRows(await openFile(file, ''), { format: 'xlsx' }))
  },
}

/** @throws UsageError for a file of another format, `.zip` aside */
export function requireVerifiable(file: string): void {
  const ending = extname(file).toLowerCase()
  if (ending === '.zip' || ending === proofEnding || Object.hasOwn(readers, ending)) return
  const endings = [...Object.keys(readers), '.zip', proofEnding].join(', ')
  throw new UsageError(
    `${file} is no export that can be verified: its name must end in ${endings}.`,
  )
}

/**
 * Computes the digests of an export's values again. A binary value is its digest where the bytes are not
 * in the file: that the two are the same is all that can be said of it then.
 * @throws CommandError for what is no such export
 */
export async function verifyFile(file: string, options: VerifyFileOptions): Promise<Verified> {
  const ending = extname(file).toLowerCase()
  const verified = { items: 0, values: 0, bytes: 0 }
  try {
    if (ending === '.zip') return await verifyArchive(file, verified, options)
    if (ending === proofEnding) return await verifyProof(file, options)
    const { signal, onDamage } = options
    const guarded = ending === '.csv' || ending === '.tsv'
    for await (const row of readers[ending]!(file, signal)) {
      signal.throwIfAborted()
      checkRow(row, verified, { onDamage, guarded })
    }
  } catch (cause) {
    if (options.signal.aborted || cause instanceof CommandError || cause instanceof UsageError) {
      throw cause
    }
    if (verified.items === 0 && (cause as NodeJS.ErrnoException).code === 'ENOENT') {
      throw unreadable(file, cause)
    }
    const { message } = cause as Error
    const where = `after ${verified.items} whole rows`
    throw new CommandError(`${file} cannot be read ${where}: ${message}.`, { cause, exitCode: 6 })
  }
  if (verified.items > 0 && verified.values === 0) {
    const how = 'Export it once more with --integrity.'
    throw new CommandError(`${file} has no digests. ${how}`, { exitCode: 6 })
  }
  return verified
}

/** Verifies an export as zip, or a bundle. */
async function verifyArchive(
  file: string,
  verified: Verified,
  options: VerifyFileOptions,
): Promise<Verified> {
  const { openZipArchive } = await import('./zip-archive.ts')
  const archive = await openZipArchive(file)
  try {
    if (archive.has('bundle.json')) {
      const { verifyBundleFile } = await import('./verify-bundle-file.ts')
      return await verifyBundleFile(file, archive, options)
    }
    if (options.key !== undefined) throw new UsageError(`${file} is no bundle, and has no key.`)
    const { verifyZip } = await import('./verify-zip.ts')
    await verifyZip(file, archive, { ...options, verified })
    return verified
  } finally {
    archive.close()
  }
}

async function verifyProof(file: string, { key, onDamage }: VerifyFileOptions): Promise<Verified> {
  if (key === undefined) {
    throw new UsageError(`${file} does not say whose it is: name the key that signed it by --key.`)
  }
  const text = await readFile(file, 'utf8')
  const result = await verifyProofFile(text, {
    key,
    hash: async (bytes) => new Uint8Array(hash('sha256', bytes, 'buffer')),
  })
  const proof = typeof result === 'string' ? undefined : result
  if (typeof result === 'string') onDamage({ log: file, what: result })
  return { items: proof === undefined ? 0 : 1, values: 0, bytes: 0, proof }
}

async function* rowsOfBatches(batches: AsyncIterable<RowBatch>): AsyncGenerator<Row> {
  for await (const { columns, rows } of batches) {
    for (const { line, values, problem } of rows) {
      if (problem !== undefined) throw new UnreadableFile(`line ${line} ${problem}`)
      yield Object.fromEntries(
        columns.map((column, index) => {
          const value = values[index]
          return [column, value instanceof ShownValue ? value.value : value]
        }),
      )
    }
  }
}
