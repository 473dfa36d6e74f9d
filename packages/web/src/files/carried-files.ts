import type { PathedFile } from './file-with-path.ts'

const carried = new Map<string, readonly PathedFile[]>()

/** Gives files that were chosen on one screen to the next, for no address could carry them. */
export function carryFiles(repo: string, files: readonly PathedFile[]): void {
  carried.set(repo, files)
}

/** The files that were carried here, once. */
export function takeFiles(repo: string): readonly PathedFile[] | undefined {
  const files = carried.get(repo)
  carried.delete(repo)
  return files
}
