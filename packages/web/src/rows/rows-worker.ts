import { prepareFieldNames } from '@vitrine/client/rows/field-name.ts'
import { FieldInference, type InferredColumn } from '@vitrine/client/rows/infer-fields.ts'
import { readRows, type TextFormat } from '@vitrine/client/rows/read-rows.ts'
import { UnreadableFile, type RowBatch } from '@vitrine/client/rows/row-batch.ts'
import { sampleRowsMost, toSample, type Sample } from './sample.ts'

export type RowFormat = TextFormat | 'parquet'

/** What is asked of the worker: the first rows of a file, or what all of them are. */
export type RowsTask = { task: 'sample' | 'infer'; file: Blob; format: RowFormat }

export type Inferred = { rows: number; unreadable: number; columns: InferredColumn[] }

/** What the worker says back. */
export type RowsMessage =
  | { rows: number; bytes: number }
  | { sample: Sample }
  | { inferred: Inferred }
  | { failure: string }

addEventListener('message', ({ data }: MessageEvent<RowsTask>) => {
  work(data).then(say, (error: unknown) => say({ failure: failureOf(error) }))
})

function say(message: RowsMessage): void {
  postMessage(message, { transfer: [] })
}

function failureOf(error: unknown): string {
  if (error instanceof UnreadableFile) return error.message
  return 'A file could not be read: it may have changed. Choose it again'
}

async function work({ task, file, format }: RowsTask): Promise<RowsMessage> {
  if (task === 'infer') return { inferred: await infer(file, format) }
  let sample: Sample = { columns: [], fieldNames: [], rows: [] }
  for await (const batch of await open(file, format, sampleRowsMost)) {
    sample = toSample(batch, await prepareFieldNames(batch.columns))
    if (sample.rows.length > 0) break
  }
  return { sample }
}

async function infer(file: Blob, format: RowFormat): Promise<Inferred> {
  const inference = new FieldInference()
  for await (const batch of await open(file, format)) {
    inference.add(batch)
    say({ rows: inference.rows, bytes: batch.bytes })
  }
  const { rows, unreadable } = inference
  return { rows, unreadable, columns: await inference.infer() }
}

/** The code that reads Parquet comes when there is such a file. */
async function open(
  file: Blob,
  format: RowFormat,
  rowsMost?: number,
): Promise<AsyncGenerator<RowBatch, void, undefined>> {
  if (format !== 'parquet') return readRows(file, format)
  const { readParquet } = await import('@vitrine/client/rows/read-parquet.ts')
  return readParquet(file, rowsMost)
}
