import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { type BundleArchive, type BundleDamage, verifyBundle } from '@vitrine/client'
import yauzl, { type Entry, type ZipFile } from 'yauzl'

/** Reads all files of a zip archive, by their paths, in order. */
export async function readArchive(bytes: Buffer): Promise<Map<string, Buffer>> {
  const open = promisify<Buffer, yauzl.Options, ZipFile>(yauzl.fromBuffer)
  const zip = await open(bytes, { autoClose: false })
  const entries: Entry[] = []
  zip.on('entry', (entry: Entry) => entries.push(entry))
  await once(zip, 'end')
  const read = promisify<Entry, Readable>(zip.openReadStream.bind(zip))
  const files = new Map<string, Buffer>()
  for (const entry of entries) {
    files.set(entry.fileName, Buffer.concat(await allOf<Buffer>(await read(entry))))
  }
  return files
}

/** A bundle of files that are at hand, which may have been altered. */
function archiveOf(files: ReadonlyMap<string, Uint8Array>): BundleArchive {
  return {
    open: async (path) => {
      const bytes = files.get(path)
      if (bytes === undefined) throw new Error(`${path} is not in the archive`)
      return (async function* () {
        // In pieces, so that nothing relies on where they end.
        for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
      })()
    },
  }
}

/** Everything that something gives, in order. */
export async function allOf<T>(given: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of given) all.push(each)
  return all
}

export const sha256 = (bytes: Uint8Array) =>
  new Uint8Array(createHash('sha256').update(bytes).digest())

/** Verifies the files of a bundle, and lists the damage. */
export async function verifyFiles(files: ReadonlyMap<string, Uint8Array>, key?: string) {
  const damage: BundleDamage[] = []
  const verified = await verifyBundle(archiveOf(files), {
    hash: sha256,
    hashFile: async (bytes) => {
      const all = Buffer.concat(await allOf(bytes))
      return { sha256: Buffer.from(sha256(all)).toString('hex'), size: all.length }
    },
    key,
    onDamage: (each) => damage.push(each),
    signal: new AbortController().signal,
  })
  return { damage, verified }
}
