/** A file and where it was in what was chosen or dropped, such as `birds/wren.png`. */
export type FileWithPath = { file: File; path: string }

/** Returns a file with its path in the folder that was chosen, or its name. */
export function withPath(file: File): FileWithPath {
  return { file, path: file.webkitRelativePath || file.name }
}

/**
 * Returns the files that were dropped, those in folders included. Call it while the drop is being handled:
 * the browser clears its data after that.
 */
export async function droppedFiles({ items, files }: DataTransfer): Promise<FileWithPath[]> {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry())
  if (entries.includes(null)) return Array.from(files, withPath)
  const result: FileWithPath[] = []
  const pending = entries.filter((entry) => entry !== null)
  for (let entry = pending.shift(); entry !== undefined; entry = pending.shift()) {
    if (isFolder(entry)) pending.push(...(await readFolder(entry)))
    else if (isFile(entry)) result.push({ file: await readFile(entry), path: pathOf(entry) })
  }
  return result.filter(({ path }) => !isHidden(path))
}

const { compare } = new Intl.Collator(undefined, { numeric: true })

/** Sorts files by path in natural order: `2.png` before `10.png`. */
export function inOrder(files: readonly FileWithPath[]): FileWithPath[] {
  return files.toSorted((a, b) => compare(a.path, b.path))
}

/** Whether a path is hidden, or written by a file manager: `.DS_Store`, `.git/…`, `Thumbs.db`. */
function isHidden(path: string): boolean {
  const names = path.split('/')
  return names.some((name) => name.startsWith('.')) || names.at(-1) === 'Thumbs.db'
}

function pathOf({ fullPath }: FileSystemEntry): string {
  return fullPath.replace(/^\//, '')
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** A reader gives a folder's entries some at a time, and none once it has given them all. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (some.length === 0) return all
    all.push(...some)
  }
}

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
