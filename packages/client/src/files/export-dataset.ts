import { type ExportFormat, exportedHeader, stateHeader } from '@vitrine/contract'
import { ApiError, requestAborted, unreached } from '../call/api-error.ts'
import { type CallInput, type Client, openReply } from '../call/client.ts'
import { RowCutter } from './row-cutter.ts'
import { wait } from '../call/retry.ts'

export type ExportProgress = {
  /** Bytes handed over so far. */
  bytes: number
  /** Whole rows among them, of formats that are read by rows. */
  rows: number
  /** Rows that the export will have. */
  totalRows: number
}

export type ExportOptions = Omit<CallInput<'datasetExport'>, 'datasetId'> & {
  format: ExportFormat
  onProgress?: ((progress: ExportProgress) => void) | undefined
  signal?: AbortSignal | undefined
}

/** How often in a row the connection may fail, and milliseconds to wait in between. */
const patience = { failures: 12, first: 250, longest: 10_000 }

/**
 * Exports a dataset as it is when this begins (docs/import-export.md). When the connection fails, rows
 * of NDJSON, CSV and TSV go on after the last whole one, of the dataset as it was; other formats cannot. Where a
 * server does not say of which state an export is, nor can what is asked in an `order` once items were added, as they
 * move the others.
 *
 * @returns the bytes of the file, a piece at a time
 * @throws ApiError when the export cannot be had
 */
export async function* exportDataset(
  client: Client,
  datasetId: string,
  { onProgress, signal, ...options }: ExportOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { format, from = 0 } = options
  const delimited = format === 'csv' || format === 'tsv'
  const cutter =
    delimited || format === 'ndjson'
      ? new RowCutter({ quotes: delimited, header: delimited })
      : undefined
  const range = { from, to: options.to }
  let { at } = options
  let bytes = 0
  let total: number | undefined
  for (let failures = 0; ;) {
    try {
      const input = { datasetId, ...options, ...range, at, from: from + (cutter?.rows ?? 0) }
      const response = await openReply(client, 'datasetExport', input, { signal })
      const extent = extentOf(response)
      range.to ??= extent?.end
      total ??= extent?.total
      at ??= stateOf(response)
      if (at === undefined && options.order !== undefined && extent?.total !== total) {
        await response.body?.cancel()
        throw new ApiError(
          'Items were added while they were exported in an order. Export them again.',
        )
      }
      const body = response.body!
      for await (const piece of delimited && bytes > 0 ? withoutHeader(body) : body) {
        const rows = cutter?.rows ?? 0
        for (const whole of cutter?.push(piece) ?? [piece]) {
          bytes += whole.length
          yield whole
        }
        if (cutter === undefined || cutter.rows > rows) {
          failures = 0
          const totalRows = (range.to ?? 0) - from
          onProgress?.({ bytes, rows: cutter?.rows ?? 0, totalRows })
        }
      }
      return
    } catch (error) {
      if (signal?.aborted === true) throw requestAborted(error)
      const lost = error instanceof ApiError ? error : unreached(error, 'The export was cut off')
      // What could not even be begun was tried often enough.
      if (cutter === undefined || bytes === 0 || !mayGoOn(lost) || failures >= patience.failures) {
        throw lost
      }
      await wait(Math.min(patience.first * 2 ** failures, patience.longest), signal)
      failures += 1
      cutter.beginAgain()
    }
  }
}

function mayGoOn({ lost, status }: ApiError): boolean {
  return lost || status === 502 || status === 503 || status === 504
}

/** How many items the repository had; undefined where a server does not say so. */
function stateOf(response: Response): number | undefined {
  const text = response.headers.get(stateHeader)
  return text === null ? undefined : Number(text)
}

/** Returns the last row of a reply and the number of all rows, by its header. */
function extentOf(response: Response): { end: number; total: number } | undefined {
  const match = /^\d+-(\d+)\/(\d+)$/.exec(response.headers.get(exportedHeader) ?? '')
  return match === null ? undefined : { end: Number(match[1]), total: Number(match[2]) }
}

/** The names of columns stand before every part of an export; names have no line breaks. */
async function* withoutHeader(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let passed = false
  for await (const bytes of body) {
    if (passed) {
      yield bytes
      continue
    }
    const end = bytes.indexOf(0x0a)
    if (end < 0) continue
    passed = true
    yield bytes.subarray(end + 1)
  }
}
