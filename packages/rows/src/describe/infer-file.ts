import { rowUnit } from '../file-format.ts'
import { FieldInference } from './infer-fields.ts'
import { readRows } from '../read-rows.ts'
import type { ReadOptions } from '../reading.ts'
import { type RowBatch, type SourceRow, UnreadableFile } from '../row-batch.ts'

/** All rows of a file, looked at. */
export type InferredFile = { inference: FieldInference } & Pick<RowBatch, 'reading' | 'workbook'>

type Options = ReadOptions & {
  /** Whether the server keeps other types than text and bytes. */
  isTyped?: boolean
  /** Called with every batch, also with those read before the encoding was detected; may throw to stop. */
  onBatch: (batch: RowBatch, inference: FieldInference) => void
}

/**
 * Infers the columns of a file from all of its rows. Where its encoding is detected, the rows may be read once more: the
 * first character that is not UTF-8 can stand anywhere.
 * @throws UnreadableFile
 */
export async function inferFile(file: Blob, options: Options): Promise<InferredFile> {
  const inference = new FieldInference(options)
  let last: RowBatch | undefined
  let refused: SourceRow | undefined
  try {
    for await (const batch of readRows(file, options)) {
      inference.add(batch)
      last = batch
      refused ??= batch.rows.find(({ problem }) => problem !== undefined)
      options.onBatch(batch, inference)
    }
  } catch (error) {
    const encoding = error instanceof UnreadableFile ? error.encoding : undefined
    const isDetected = options.isDetected === true && options.encoding === undefined
    if (encoding === undefined || !isDetected) throw error
    return inferFile(file, { ...options, encoding })
  }
  if (last?.columns.length === 0 && refused?.problem !== undefined) {
    const unit = rowUnit(options.format) === 'row' ? 'Row' : 'Line'
    throw new UnreadableFile(refused.problem, { place: `${unit} ${refused.line}` })
  }
  return { inference, reading: last?.reading, ...(last?.workbook && { workbook: last.workbook }) }
}
