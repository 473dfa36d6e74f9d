import {
  configure,
  Reader,
  ZipReader,
  type Entry,
  type FileEntry,
} from '@zip.js/zip.js/lib/zip-core-native.js'
import { UnreadableFile } from '../row-batch.ts'
import { unpackedMax, UnpackBudget, unpacksTooFar } from '../unpacked-bound.ts'
import { visitXml } from './parse-xml.ts'

// Parts of an Open Packaging Conventions file (ECMA-376 part 2): entries of a zip archive, and how they are related.

/** A file that is read in ranges; the end is left out. */
export type FileBytes = {
  byteLength: number
  slice: (start: number, end: number) => Promise<ArrayBuffer>
}

/** A part that another one points at. */
export type Relationship = { id: string; type: string; path: string }

/** A workbook has some dozens. */
const entriesMax = 10_000
const chunkBytes = 512 * 1024

configure({ useWebWorkers: false, chunkSize: chunkBytes })

export class PackageParts {
  readonly #entries: ReadonlyMap<string, FileEntry>
  readonly #budget: UnpackBudget
  /** Bytes of the file that were read so far, some perhaps twice. */
  bytesRead = 0

  private constructor(entries: readonly Entry[], budget: UnpackBudget) {
    this.#budget = budget
    this.#entries = new Map(
      entries
        .filter((entry): entry is FileEntry => !entry.directory)
        .map((entry) => [partKey(entry.filename), entry]),
    )
  }

  /** @throws UnreadableFile */
  static async open(file: FileBytes): Promise<PackageParts> {
    const source = new RangeReader(file)
    const entries: Entry[] = []
    try {
      const zip = new ZipReader(source, { checkSignature: true, checkOverlappingEntry: true })
      for await (const entry of zip.getEntriesGenerator()) {
        if (entries.push(entry) > entriesMax)
          throw new Error(`it has more than ${entriesMax} entries`)
      }
    } catch (cause) {
      throw damaged(cause)
    }
    const parts = new PackageParts(entries, new UnpackBudget(unpackedMax(file.byteLength)))
    source.onRead = (bytes) => (parts.bytesRead += bytes)
    return parts
  }

  has(path: string): boolean {
    return this.#entries.has(partKey(path))
  }

  /**
   * Unpacks a part. The whole of it is held against its checksum once it is read to its end.
   * @throws UnreadableFile
   */
  async *read(path: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(partKey(path))
    if (entry === undefined) throw new UnreadableFile(`is a damaged workbook: it has no ${path}`)
    let controller: TransformStreamDefaultController<Uint8Array>
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
      start: (own) => void (controller = own),
    })
    const cancellation = new AbortController()
    const unpacked = entry.getData(writable, { signal: cancellation.signal })
    // The package leaves the stream open where a part is damaged.
    unpacked.catch((error: unknown) => controller.error(error))
    const reader = readable.getReader()
    try {
      for (;;) {
        const { value: chunk } = await reader.read()
        if (chunk === undefined) break
        this.#takeUnpacked(chunk.length)
        yield chunk
      }
      await unpacked
    } catch (cause) {
      throw damaged(cause)
    } finally {
      cancellation.abort()
    }
  }

  #takeUnpacked(bytes: number): void {
    try {
      this.#budget.take(bytes)
    } catch (cause) {
      throw new UnreadableFile(unpacksTooFar, { cause })
    }
  }

  /** Reads what a part points at; '' is the package itself. */
  async relationships(path: string): Promise<Relationship[]> {
    const slash = path.lastIndexOf('/') + 1
    const listed = `${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`
    if (!this.has(listed)) return []
    const result: Relationship[] = []
    await visitXml(this.read(listed), {
      open: (name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) => {
        if (name !== 'Relationship' || mode === 'External') return
        result.push({
          id,
          type: type.slice(type.lastIndexOf('/') + 1),
          path: resolvePath(path, target),
        })
      },
    })
    return result
  }
}

class RangeReader extends Reader<FileBytes> {
  readonly #file: FileBytes
  onRead: ((bytes: number) => void) | undefined

  constructor(file: FileBytes) {
    super(file)
    this.#file = file
    this.size = file.byteLength
  }

  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    const end = Math.min(offset + length, this.size)
    this.onRead?.(Math.max(0, end - offset))
    return new Uint8Array(await this.#file.slice(offset, Math.max(offset, end)))
  }
}

/** Names of parts are compared without regard to case (ECMA-376 part 2 §6.2.2.3); some programs write `\`. */
function partKey(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()
}

function resolvePath(from: string, target: string): string {
  const { pathname } = new URL(target.replaceAll('\\', '/'), `part://package/${from}`)
  return decodeURIComponent(pathname.slice(1))
}

function damaged(cause: unknown): UnreadableFile {
  if (cause instanceof UnreadableFile) return cause
  const { message } = cause as Error
  return new UnreadableFile(`is a damaged workbook: ${message.toLowerCase()}`, { cause })
}
