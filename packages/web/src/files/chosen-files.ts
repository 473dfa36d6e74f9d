import type { FileWithPath } from './file-with-path.ts'

const chosen = new Map<string, readonly FileWithPath[]>()

/** Keeps files that were chosen on one screen for the next: an address cannot hold them. */
export function keepChosenFiles(repo: string, files: readonly FileWithPath[]): void {
  chosen.set(repo, files)
}

/** Returns the files kept for a repository and forgets them. */
export function takeChosenFiles(repo: string): readonly FileWithPath[] | undefined {
  const files = chosen.get(repo)
  chosen.delete(repo)
  return files
}
