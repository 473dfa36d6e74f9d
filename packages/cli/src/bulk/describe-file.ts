import type { ImportFormat } from '@vitrine/contract'
import { describeRows } from '@vitrine/rows/describe/describe-rows'
import { rowUnit } from '@vitrine/rows/file-format'
import { inferFile } from '@vitrine/rows/describe/infer-file'
import type { InferredColumn } from '@vitrine/rows/describe/infer-fields'
import type { RowFormat } from '@vitrine/rows/reading'
import { pickReading, type Reading } from '@vitrine/rows/reading'
import { UnreadableFile, type RowBatch } from '@vitrine/rows/row-batch'
import { CommandError } from '../command/command.ts'

export type HowToDescribe = {
  /** Name of the repository; that of the file where it is left out. */
  name: string | undefined
  format: ImportFormat
  mode: 'all' | 'skip'
} & Reading

/** A description of a repository that a file fits, and how the file is imported into it. */
export type DescribedFile = {
  yaml: string
  columns: Record<string, string | null>
} & Reading

/**
 * Reads all of a file of rows, and describes a repository that it fits.
 * @throws CommandError when there is none, or the file cannot be read
 */
export async function describeFile(
  { name: fileName, file }: { name: string; file: Blob },
  { name, format, mode, ...options }: HowToDescribe,
  {
    isTyped,
    isDetected,
    signal,
    onProgress,
  }: {
    isTyped: boolean
    isDetected: boolean
    signal: AbortSignal
    onProgress: (bytes: number) => void
  },
): Promise<DescribedFile> {
  if (!isRows(format)) {
    throw new CommandError(
      'An archive needs a repository first: create one with `vitrine create`, then import into it.',
      { exitCode: 6 },
    )
  }
  const chosen = pickReading(options)
  const onBatch = ({ rows, bytes }: RowBatch) => {
    signal.throwIfAborted()
    const malformed = rows.find(({ problem }) => problem !== undefined)
    if (malformed !== undefined && mode === 'all') {
      throw invalidFile(
        `${rowUnit(format) === 'row' ? 'Row' : 'Line'} ${malformed.line} ${malformed.problem}. Nothing was created. Correct the file, or import the other rows with --skip.`,
      )
    }
    onProgress(bytes)
  }
  const {
    inference,
    reading = chosen,
    workbook,
  } = await inferFile(file, {
    format,
    ...chosen,
    isDetected,
    isTyped,
    onBatch,
  }).catch((cause: unknown) => {
    throw cause instanceof UnreadableFile
      ? invalidFile(`${cause.message}. Nothing was created.`)
      : cause
  })
  const inferred = await inference.infer()
  if (inferred.every(({ field }) => field === undefined)) {
    throw invalidFile(`${fileName} has no column that could be a field.`)
  }
  const { rows, unreadable } = inference
  const counts = rowUnit(format)
  return {
    yaml: describeRows(
      fileName,
      { rows, unreadable, columns: inferred, counts, reading, workbook },
      name,
    ),
    columns: mappingOf(inferred),
    ...reading,
  }
}

function isRows(format: ImportFormat): format is RowFormat {
  return format !== 'zip' && format !== 'tar'
}

function invalidFile(message: string): CommandError {
  return new CommandError(message, { exitCode: 6 })
}

/** Maps the columns that are named otherwise than their field, and those without a field. */
function mappingOf(columns: readonly InferredColumn[]): Record<string, string | null> {
  return Object.fromEntries(
    columns.flatMap(({ column, field }) =>
      field?.name === column ? [] : [[column, field?.name ?? null]],
    ),
  )
}
