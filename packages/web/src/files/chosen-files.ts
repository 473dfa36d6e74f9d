import type { FileWithPath } from './file-with-path.ts'

/** Files that were chosen, and the encoding of one of rows where it is not UTF-8. */
export type ChosenFiles = { files: readonly FileWithPath[]; encoding?: string | undefined }

const chosen = new Map<string, ChosenFiles>()

/** Keeps files that were chosen on one screen for the next: an address cannot hold them. */
export function keepChosenFiles(repo: string, files: ChosenFiles): void {
  chosen.set(repo, files)
}

/** Returns the files kept for a repository and forgets them. */
export function takeChosenFiles(repo: string): ChosenFiles | undefined {
  const files = chosen.get(repo)
  chosen.delete(repo)
  return files
}
