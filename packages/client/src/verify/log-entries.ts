import { toHex } from '@vitrine/contract'
import {
  type Entry,
  type Sha256 as Hash,
  hashBytes,
  leafHash,
  readBundle,
  readEntry,
  tilePath,
  tileWidth,
  TreeBuilder,
} from '@vitrine/transparency-log'
import type { Client } from '../call/client.ts'
import type { CallOptions } from '../call/send.ts'

/** Bundles that are asked for before they are needed. */
const aheadMax = 4

/**
 * Reads the first `size` entries of the log of a repository, in order; an entry that cannot be read is
 * undefined. The root of all of them is returned at the end.
 * @throws ApiError
 */
export async function* logEntries(
  client: Client,
  repo: string,
  { size, hash }: { size: number; hash: Hash },
  options: CallOptions = {},
): AsyncGenerator<Entry | undefined, Uint8Array, undefined> {
  const builder = new TreeBuilder(hash)
  const read = async (index: number) => {
    const width = Math.min(tileWidth, size - index * tileWidth)
    const tile = tilePath({ level: 'entries', index, width })
    const reply = await client.logTile({ datasetId: repo, tile }, options)
    const entries = readBundle(new Uint8Array(await reply.arrayBuffer())) ?? []
    return Array.from({ length: width }, (_, at) => entries[at] ?? new Uint8Array())
  }
  const bundles = Math.ceil(size / tileWidth)
  const ahead: ReturnType<typeof read>[] = []
  const fill = (next: number) => {
    while (ahead.length < aheadMax && next + ahead.length < bundles) {
      const reading = read(next + ahead.length)
      // Thrown where it is waited for.
      reading.catch(() => {})
      ahead.push(reading)
    }
  }
  for (let index = 0; index < bundles; index += 1) {
    fill(index)
    for (const entry of await ahead.shift()!) {
      await builder.add(await leafHash(entry, hash))
      yield readEntry(new TextDecoder().decode(entry))
    }
  }
  return size === 0 ? hash(new Uint8Array()) : builder.root()
}

/**
 * Finds the entries that are not those whose hashes are in the log, by the ids that they name.
 * @throws ApiError
 */
export async function* differingEntries(
  client: Client,
  { repo, size, hash }: { repo: string; size: number; hash: Hash },
  options: CallOptions = {},
): AsyncGenerator<number, void, undefined> {
  for (let index = 0; index * tileWidth < size; index += 1) {
    const width = Math.min(tileWidth, size - index * tileWidth)
    const [bundle, hashes] = await Promise.all(
      (['entries', 0] as const).map(async (level) => {
        const tile = tilePath({ level, index, width })
        const reply = await client.logTile({ datasetId: repo, tile }, options)
        return new Uint8Array(await reply.arrayBuffer())
      }),
    )
    for (const [at, bytes] of (readBundle(bundle!) ?? []).entries()) {
      const own = await leafHash(bytes, hash)
      const listed = hashes!.subarray(at * hashBytes, (at + 1) * hashBytes)
      const entry = readEntry(new TextDecoder().decode(bytes))
      if (entry !== undefined && toHex(own) !== toHex(listed)) yield entry.id
    }
  }
}
