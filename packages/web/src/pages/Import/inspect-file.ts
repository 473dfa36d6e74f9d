import type { Client } from '@vitrine/client'
import type { ImportFormat, ImportState } from '@vitrine/contract'
import type { ReadOptions, RowFormat } from '@vitrine/rows/reading'
import { pickReading, type Reading } from '@vitrine/rows/reading'
import { formatOf } from '../../data/rows/file-format.ts'
import { sampleRows } from '../../data/rows/rows-of-file.ts'
import type { Sample } from '../../data/rows/sample.ts'
import { fileKey, fileKeyOf, isCorrected } from './file-key.ts'

/** A file as it was inspected before anything of it is sent. */
export type InspectedFile = {
  file: File
  format: ImportFormat
  isGzip: boolean
  fileKey: string
  /** The latest import of this very file, if there was one. */
  earlier: ImportState | undefined
  /** The first rows, or why they cannot be read; neither of what is packed. */
  sample: Sample | undefined
  unreadable: string | undefined
  /** Sheets of a workbook, also where the one that was chosen cannot be read. */
  sheets?: readonly string[] | undefined
  /** How the file is read, as detected or given. */
  reading: Reading
}

/**
 * Reads the beginning of a file, and finds an earlier import of it. The encoding is detected unless it is given.
 * @throws Error saying what is wrong with the file, or ApiError
 */
export async function inspectFile(
  client: Client,
  repo: string,
  { file, encoding }: { file: File; encoding?: string | undefined },
): Promise<InspectedFile> {
  const { format, isGzip } = await formatOf(file)
  if (isGzip && (format === undefined || ['parquet', 'xlsx', 'zip'].includes(format))) {
    throw new Error(`${file.name} is packed with gzip. Unpack it and choose the file inside`)
  }
  if (format === undefined) {
    throw new Error(
      `${file.name} has no known format. Its name should end in .ndjson, .json, .csv, .tsv, .parquet, .xlsx, .zip or .tar`,
    )
  }
  const key = await fileKey(file)
  const imports = await client.importList({ datasetId: repo, page: 0, pageSize: 100 })
  const earlier = imports.find(
    (each) =>
      fileKeyOf(each.key) === key &&
      // The rest of this file would not be the rest of the corrected one.
      !(isCorrected(each.key) && each.state === 'receiving'),
  )
  const looked = { file, format, isGzip, fileKey: key, earlier }
  if (format === 'zip' || format === 'tar') {
    return { ...looked, sample: undefined, unreadable: undefined, reading: {} }
  }
  const sample = await sampleOf(file, { format, encoding, isDetected: true })
  return { ...looked, ...sample, sheets: sample.sample?.workbook?.sheets }
}

/** Reads the beginning of a file of text again, in another way. */
export async function inspectAgain(
  looked: InspectedFile,
  reading: Reading,
): Promise<InspectedFile> {
  const format = looked.format as RowFormat
  return { ...looked, ...(await sampleOf(looked.file, { format, ...reading })) }
}

async function sampleOf(
  file: File,
  options: ReadOptions,
): Promise<Pick<InspectedFile, 'sample' | 'unreadable' | 'reading'>> {
  try {
    const { signal } = new AbortController()
    const sample = await sampleRows(file, options, { signal })
    return { sample, unreadable: undefined, reading: sample.reading ?? {} }
  } catch (error) {
    const reading = pickReading(options)
    return { sample: undefined, unreadable: (error as Error).message, reading }
  }
}
