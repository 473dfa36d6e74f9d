import { type Inferred, describeRows } from '@vitrine/rows/describe/describe-rows'
import { counted, descriptionText, fieldLine } from '@vitrine/rows/description-text'
import { FieldInference, mimeOf } from '@vitrine/rows/describe/infer-fields'
import { octetStream } from '@vitrine/contract'
import type { FileWithPath } from '../../files/file-with-path.ts'
import { formatOf, rowEndings } from '../../data/rows/file-format.ts'
import { inferRows } from '../../data/rows/rows-of-file.ts'
import { fileSources } from '../../files/value-source.ts'

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

/**
 * A description of files that each become an item. Where there are images it is of these: what else lies
 * in their folder, such as a README, does not make them files of any kind.
 */
export async function describeFiles(all: readonly FileWithPath[]): Promise<string> {
  const images = all.filter(({ file }) => file.type.startsWith('image/'))
  const files = images.length > 0 ? images : all
  const inference = new FieldInference()
  inference.add({
    columns: ['name'],
    rows: files.map((chosen, index) => ({
      line: index + 1,
      values: [fileSources.stem.read(chosen)],
    })),
    bytes: 0,
  })
  const columns = await inference.infer()
  const mime = mimeOf(new Set(files.map(({ file }) => file.type || octetStream)))
  return descriptionText(folderOf(all) ?? 'images', aboutFiles(files.length, all.length), [
    ...columns.flatMap(({ field }) => (field === undefined ? [] : [fieldLine(field)])),
    fieldLine({ name: mime.startsWith('image/') ? 'image' : 'file', type: 'binary', mime }),
  ])
}

/** The folder that all files are in, which is what was chosen. */
function folderOf(files: readonly FileWithPath[]): string | undefined {
  const outermost = new Set(
    files.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : undefined)),
  )
  const [folder] = outermost
  return outermost.size === 1 ? folder : undefined
}

function aboutFiles(described: number, all: number): string {
  if (described === all) return counted(all, 'file')
  const others = counted(all - described, 'other file')
  return `${counted(described, 'image')}; ${others} would be refused`
}
