import { describeRows, type Inferred } from '@vitrine/rows/describe-rows'
import type { FileWithPath } from '../../files/file-with-path.ts'
import { formatOf, rowEndings } from '../../data/rows/file-format.ts'
import { inferRows } from '../../data/rows/rows-of-file.ts'
import { describeFiles } from './data-description.ts'

export type DescribedData = {
  /** The description, to be edited. */
  text: string
  files: readonly FileWithPath[]
  /** The columns of one file of rows; undefined where each file becomes an item. */
  inferred: Inferred | undefined
}

type Options = {
  /** Whether the server keeps other types than text and bytes. */
  isTyped: boolean
  signal: AbortSignal
  onProgress: (progress: { rows: number; bytes: number }) => void
}

/**
 * Reads all of a file of rows, or looks at files, and describes a repository that they fit.
 * @throws Error saying what is wrong with them
 */
export async function describeData(
  files: readonly FileWithPath[],
  { isTyped, ...options }: Options,
): Promise<DescribedData> {
  const [first] = files
  if (first === undefined || files.length > 1 || first.file.type.startsWith('image/')) {
    return { text: await describeFiles(files), files, inferred: undefined }
  }
  const { format, isGzip } = await formatOf(first.file)
  if (format === undefined) {
    throw new Error(
      `${first.file.name} has no known format. Its name should end in ${rowEndings.join(', ')}`,
    )
  }
  if (
    format === 'zip' ||
    format === 'tar' ||
    (isGzip && (format === 'parquet' || format === 'xlsx'))
  ) {
    throw new Error(`${first.file.name} is packed. Unpack it, and choose what was in it`)
  }
  const inferred = await inferRows(first.file, { format, isTyped, isDetected: true }, options)
  if (inferred.columns.every(({ field }) => field === undefined)) {
    throw new Error(`${first.file.name} has no column that could be a field`)
  }
  return { text: describeRows(first.file.name, inferred), files, inferred }
}
