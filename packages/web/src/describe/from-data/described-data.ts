import type { PathedFile } from '../../files/file-with-path.ts'
import { formatOf, rowEndings } from '../../rows/file-format.ts'
import { inferRows } from '../../data/rows/rows-of-file.ts'
import { describeFiles, describeRows } from './data-description.ts'

export type DescribedData = {
  /** The description, to be edited. */
  text: string
  files: readonly PathedFile[]
  /** Whether it is one file of rows; otherwise each file becomes an item. */
  isRows: boolean
}

type Options = {
  signal: AbortSignal
  onProgress: (progress: { rows: number; bytes: number }) => void
}

/**
 * Reads all of a file of rows, or looks at files, and describes a repository that they fit.
 * @throws Error saying what is wrong with them
 */
export async function describeData(
  files: readonly PathedFile[],
  options: Options,
): Promise<DescribedData> {
  const [first] = files
  if (first === undefined || files.length > 1 || first.file.type.startsWith('image/')) {
    return { text: await describeFiles(files), files, isRows: false }
  }
  const format = await formatOf(first.file)
  if (format === undefined) {
    throw new Error(
      `What ${first.file.name} holds cannot be told. Its name should end in ${rowEndings.join(', ')}`,
    )
  }
  if (format === 'zip' || format === 'tar' || format === 'gzip') {
    throw new Error(`${first.file.name} is packed. Unpack it, and choose what was in it`)
  }
  const inferred = await inferRows(first.file, format, options)
  if (inferred.columns.every(({ field }) => field === undefined)) {
    throw new Error(`${first.file.name} has no column that could be a field`)
  }
  return { text: describeRows(first.file.name, inferred), files, isRows: true }
}
