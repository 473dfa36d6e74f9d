import type { Client } from '@vitrine/client'
import type { ImportFormat, ImportState } from '@vitrine/contract'
import { formatInGzip, formatOf } from '../rows/file-format.ts'
import { sampleRows } from '../data/rows/rows-of-file.ts'
import type { Sample } from '../rows/sample.ts'
import { fileKey } from '../pages/Import/file-key.ts'

/** What can be known of a file before any of it is sent. */
export type LookedAt = {
  file: File
  format: ImportFormat
  fileKey: string
  /** The latest import of this very file, if there was one. */
  earlier: ImportState | undefined
  /** The first rows, or why they cannot be read; neither of what is packed. */
  sample: Sample | undefined
  unreadable: string | undefined
}

/**
 * Looks at the beginning of a file, and whether it was imported before.
 * @throws Error saying what is wrong with the file, or ApiError
 */
export async function lookAtFile(client: Client, repo: string, file: File): Promise<LookedAt> {
  const found = await formatOf(file)
  const format = found === 'gzip' ? formatInGzip(file.name) : found
  if (found === 'gzip' && format === undefined) {
    throw new Error(`${file.name} is packed with gzip. Unpack it, and choose what was in it`)
  }
  if (format === undefined) {
    throw new Error(
      `What ${file.name} holds cannot be told. Its name should end in .ndjson, .csv, .tsv, .parquet, .zip or .tar`,
    )
  }
  const key = await fileKey(file)
  const imports = await client.importList({ datasetId: repo, page: 0, pageSize: 100 })
  const earlier = imports.find((each) => each.key.startsWith(`${key}-`))
  const looked = { file, format, fileKey: key, earlier, sample: undefined, unreadable: undefined }
  if (found === 'gzip' || format === 'zip' || format === 'tar') return looked
  try {
    const { signal } = new AbortController()
    return { ...looked, sample: await sampleRows(file, format, { signal }) }
  } catch (error) {
    return { ...looked, unreadable: (error as Error).message }
  }
}
