import { correctRows, type CorrectOptions, type Correction } from '@vitrine/rows/text/correct-rows'
import type { Inferred } from '@vitrine/rows/describe/describe-rows'
import { prepareFieldNames } from '@vitrine/rows/describe/field-name'
import { rowUnit } from '@vitrine/rows/file-format'
import { inferFile } from '@vitrine/rows/describe/infer-file'
import { readRows } from '@vitrine/rows/read-rows'
import type { ReadOptions } from '@vitrine/rows/reading'
import { UnreadableFile } from '@vitrine/rows/row-batch'
import { sampleRowsMost, toSample, type Sample } from './sample.ts'

/** Task for the worker: to read the first rows of a file, to infer its columns from all, or to correct some. */
export type RowsTask =
  | { task: 'sample' | 'infer'; file: Blob; options: RowsOptions }
  | { task: 'correct'; file: Blob; options: CorrectOptions; corrections: RowCorrections }

/** Corrections by the line that a row begins on. */
export type RowCorrections = ReadonlyMap<number, Correction>

/** `isTyped` where a column may become a field of another type than text and bytes. */
export type RowsOptions = ReadOptions & { isTyped?: boolean }

/** Message from the worker: progress, a result or a failure. */
export type RowsMessage =
  | { rows: number; bytes: number }
  | { sample: Sample }
  | { inferred: Inferred }
  | { corrected: Blob }
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

async function work(message: RowsTask): Promise<RowsMessage> {
  const { file } = message
  if (message.task === 'correct') {
    return { corrected: await correctRows(file, message.corrections, message.options) }
  }
  const { task, options } = message
  if (task === 'infer') return { inferred: await infer(file, options) }
  let sample: Sample = { columns: [], fieldNames: [], rows: [] }
  for await (const batch of readRows(file, { ...options, rowsMost: sampleRowsMost })) {
    sample = toSample(batch, await prepareFieldNames(batch.columns))
    if (sample.rows.length > 0) break
  }
  return { sample }
}

async function infer(file: Blob, options: RowsOptions): Promise<Inferred> {
  const { inference, reading, workbook } = await inferFile(file, {
    ...options,
    onBatch: ({ bytes }, { rows }) => say({ rows, bytes }),
  })
  const { rows, unreadable } = inference
  const counts = rowUnit(options.format)
  return { rows, unreadable, columns: await inference.infer(), counts, reading, workbook }
}
