// Runs on the main thread.

import { PassThrough, pipeline, Readable } from 'node:stream'
import { callbackify } from 'node:util'
import { quote } from '@vitrine/contract'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { unpackedMax, unpacksTooFar } from '@vitrine/rows/unpacked-bound'
import { type ImportedFile, malformed } from '../import-file.ts'
import { type ArchiveEntry, plainName } from './archive-entry.ts'
import { WindowedFile } from './windowed-file.ts'

/** Symbolic links, by the file types of Unix (inode(7)) in the upper half of the attributes. */
const fileType = 0xf000
const symbolicLink = 0xa000

/**
 * Lists the files of a zip archive; each unpacks to no more than the archive says.
 * @throws Failure IMPORT_MALFORMED
 */
export async function* readZip(file: ImportedFile): AsyncGenerator<ArchiveEntry> {
  const zip = await openZip(file)
  let unpackedBytes = 0
  for await (const entry of entriesOf(zip)) {
    const name = plainName(nameOf(entry))
    if (name === '' || name.endsWith('/')) continue
    const refuse = (reason: string) => malformed(`the entry ${quote(name)} ${reason}`)
    if (entry.isEncrypted()) throw refuse('is encrypted')
    if (((entry.externalFileAttributes >>> 16) & fileType) === symbolicLink) {
      throw refuse('is a link')
    }
    unpackedBytes += entry.uncompressedSize
    if (unpackedBytes > unpackedMax(file.size)) throw malformed(unpacksTooFar)
    yield { name, size: entry.uncompressedSize, open: () => openEntry(zip, entry) }
  }
}

/** Says that the name is UTF-8, in the flags of an entry (APPNOTE.TXT §4.4.4). */
const utf8Flag = 0x800
/** The extra field with the name in UTF-8 (APPNOTE.TXT §4.6.9). */
const unicodePath = 0x7075

/** The name of an entry: macOS writes UTF-8 without saying so, where others mean code page 437. */
function nameOf({ fileName, fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const isSaid =
    (generalPurposeBitFlag & utf8Flag) !== 0 || extraFields.some(({ id }) => id === unicodePath)
  if (isSaid) return fileName
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fileNameRaw)
  } catch {
    return fileName
  }
}

class FileReader extends yauzl.RandomAccessReader {
  readonly #file: WindowedFile

  constructor(file: ImportedFile) {
    super()
    this.#file = new WindowedFile(file)
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead: number) => void,
  ): void {
    const copy = async () =>
      (await this.#file.read(position, position + length)).copy(buffer, offset)
    callbackify(copy)(callback)
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#file.stream(start, end), { objectMode: false })
  }
}

function openZip(file: ImportedFile): Promise<ZipFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ZipFile>()
  const options = { lazyEntries: true, autoClose: false, strictFileNames: false }
  yauzl.fromRandomAccessReader(new FileReader(file), file.size, options, (error, zip) => {
    if (error === null) resolve(zip)
    else reject(malformed(`is no zip archive: ${error.message}`))
  })
  return promise
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const { promise, resolve, reject } = Promise.withResolvers<Entry | undefined>()
    const fail = (error: Error) => reject(malformed(`is a damaged zip archive: ${error.message}`))
    const end = () => resolve(undefined)
    zip.once('entry', resolve).once('end', end).once('error', fail)
    zip.readEntry()
    const entry = await promise
    zip.off('entry', resolve).off('end', end).off('error', fail)
    if (entry === undefined) return
    yield entry
  }
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  const { promise, resolve, reject } = Promise.withResolvers<Readable>()
  zip.openReadStream(entry, (error, stream) => {
    if (error === null) {
      // It tells of damaged bytes by an event, also before anybody reads; what it is piped to keeps that.
      const unread = pipeline(stream, new PassThrough(), () => {})
      // Called more than once, the last time after reading has ended.
      stream.on('error', () => {})
      resolve(unread)
    } else reject(malformed(`the entry ${quote(entry.fileName)} cannot be read: ${error.message}`))
  })
  return promise
}
