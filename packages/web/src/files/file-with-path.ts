/** A file and where it was in what was chosen or dropped, such as `birds/wren.png`. */
export type PathedFile = { file: File; path: string }

/** A file that was chosen by itself or with its folder. */
export function pathed(file: File): PathedFile {
  return { file, path: file.webkitRelativePath || file.name }
}

/**
 * What was dropped, the files of folders included. To be called while the drop is being handled: the
 * browser takes it away after that.
 */
export async function droppedFiles({ items, files }: DataTransfer): Promise<PathedFile[]> {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry())
  if (entries.includes(null)) return Array.from(files, pathed)
  const found: PathedFile[] = []
  const pending = entries.filter((entry) => entry !== null)
  for (let entry = pending.shift(); entry !== undefined; entry = pending.shift()) {
    if (isFolder(entry)) pending.push(...(await readFolder(entry)))
    else if (isFile(entry)) found.push({ file: await readFile(entry), path: pathOf(entry) })
  }
  return found.filter(({ path }) => !isHidden(path))
}

const { compare } = new Intl.Collator(undefined, { numeric: true })

/** In the order in which people read paths: `2.png` before `10.png`. */
export function inOrder(files: readonly PathedFile[]): PathedFile[] {
  return files.toSorted((a, b) => compare(a.path, b.path))
}

/** What file systems and their viewers leave in folders: `.DS_Store`, `.git/…`, `Thumbs.db`. */
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
