import { limits } from '@vitrine/contract'
import { UnreadableFile } from '../../../rows/src/row-batch.ts'

export const tooLong = `is longer than ${limits.rowBytes / 1024 ** 2} MiB`

/**
 * Refuses to gather a row that is longer than an import takes, going by its UTF-16 code units: it has as
 * many bytes at least.
 * @throws UnreadableFile
 */
export function requireRowLength(gathered: string, problem: string): void {
  if (gathered.length > limits.rowBytes) throw new UnreadableFile(problem)
}
