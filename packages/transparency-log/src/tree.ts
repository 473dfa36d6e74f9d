/** Bytes of a hash. */
export const hashBytes = 32

/** Computes a sha256. */
export type Sha256 = (
  bytes: Uint8Array<ArrayBuffer>,
) => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>

/** Computes a sha256 by WebCrypto, which browsers have on pages that are secure contexts. */
export const sha256: Sha256 = async (bytes) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/** Prefixes of entries, and of pairs of subtree hashes, when they are hashed (RFC 6962 §2.1). */
export const leafPrefix = 0x00
export const nodePrefix = 0x01

export async function leafHash(
  entry: Uint8Array,
  hash: Sha256 = sha256,
): Promise<Uint8Array<ArrayBuffer>> {
  return hash(joined(leafPrefix, entry))
}

export async function nodeHash(
  left: Uint8Array,
  right: Uint8Array,
  hash: Sha256 = sha256,
): Promise<Uint8Array<ArrayBuffer>> {
  return hash(joined(nodePrefix, left, right))
}

function joined(prefix: number, ...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(1 + parts.reduce((sum, { length }) => sum + length, 0))
  bytes[0] = prefix
  let at = 1
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Entries of a tree, from one index to another, the last left out. */
export type Range = { from: number; to: number }

/** Returns where the left subtree of a range ends: its size is the largest power of two below the size of the range. */
export function middleOf({ from, to }: Range): number {
  let half = 1
  while (half * 2 < to - from) half *= 2
  return from + half
}

/** The root of a tree without entries: the sha256 of nothing (RFC 6962 §2.1). */
export const emptyRoot = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Collects the root of a tree from its leaves one after the other, and holds but a hash for each of its levels. */
export class TreeBuilder {
  /** Roots of complete subtrees, the largest first, each with its number of leaves. */
  readonly #roots: { leaves: number; root: Uint8Array }[] = []
  readonly #hash: Sha256

  constructor(hash: Sha256 = sha256) {
    this.#hash = hash
  }

  /**
   * Adds a leaf, or the root of a complete subtree of so many leaves, a power of two, that begins where such subtrees
   * do: after a multiple of as many.
   */
  async add(hash: Uint8Array, leaves = 1): Promise<void> {
    let added = { leaves, root: hash }
    for (;;) {
      const before = this.#roots.at(-1)
      if (before?.leaves !== added.leaves) break
      this.#roots.pop()
      const root = await nodeHash(before.root, added.root, this.#hash)
      added = { leaves: before.leaves * 2, root }
    }
    this.#roots.push(added)
  }

  /** The root of the leaves that were added, of which there is at least one. */
  async root(): Promise<Uint8Array> {
    const [last, ...before] = this.#roots.toReversed()
    let root = last!.root
    for (const left of before) root = await nodeHash(left.root, root, this.#hash)
    return root
  }
}
