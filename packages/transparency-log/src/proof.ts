import { middleOf, nodeHash, type Range, type Sha256 } from './tree.ts'

/** A proof does not fit what it is to prove; the message says why, as a sentence. */
export class ProofError extends Error {
  override name = 'ProofError'
}

/** The subtrees whose roots prove that a tree of `size` entries has the one at `index` (RFC 6962 §2.1.1). */
export function inclusionPath(index: number, size: number): Range[] {
  const within = (range: Range): Range[] => {
    if (range.to - range.from === 1) return []
    const middle = middleOf(range)
    const [left, right] = halves(range, middle)
    return index < middle ? [...within(left), right] : [...within(right), left]
  }
  return within({ from: 0, to: size })
}

/**
 * Computes the root of a tree of `size` entries by a proof of the leaf at `index`.
 * @throws ProofError where it has not as many hashes as such a proof
 */
export async function rootByInclusion(
  {
    index,
    size,
    leaf,
    hashes,
  }: { index: number; size: number; leaf: Uint8Array; hashes: readonly Uint8Array[] },
  hash?: Sha256,
): Promise<Uint8Array> {
  if (!(index >= 0 && index < size)) throw new ProofError('The tree has no entry there.')
  const next = taken(hashes)
  const within = async (range: Range): Promise<Uint8Array> => {
    if (range.to - range.from === 1) return leaf
    const middle = middleOf(range)
    const [left, right] = halves(range, middle)
    if (index < middle) return nodeHash(await within(left), next.take(), hash)
    const root = await within(right)
    return nodeHash(next.take(), root, hash)
  }
  const root = await within({ from: 0, to: size })
  next.end()
  return root
}

/** The subtrees whose roots prove that a tree of `size` entries goes on where one of `before` ended (RFC 6962 §2.1.2). */
export function consistencyPath(before: number, size: number): Range[] {
  const within = (range: Range, isOld: boolean): Range[] => {
    if (range.to === before) return isOld ? [] : [range]
    const middle = middleOf(range)
    const [left, right] = halves(range, middle)
    return before <= middle ? [...within(left, isOld), right] : [...within(right, false), left]
  }
  return before === 0 ? [] : within({ from: 0, to: size }, true)
}

/**
 * Computes the roots of a tree before and now by a proof that one goes on where the other ended, which had
 * at least one entry. Both have to be compared with what is known.
 * @throws ProofError where it has not as many hashes as such a proof
 */
export async function rootsByConsistency(
  {
    before,
    size,
    root,
    hashes,
  }: { before: number; size: number; root: Uint8Array; hashes: readonly Uint8Array[] },
  hash?: Sha256,
): Promise<{ before: Uint8Array; now: Uint8Array }> {
  if (!(before >= 1 && before <= size)) throw new ProofError('The tree was no smaller before.')
  const next = taken(hashes)
  const within = async (
    range: Range,
    isOld: boolean,
  ): Promise<{ before: Uint8Array; now: Uint8Array }> => {
    if (range.to === before) {
      const own = isOld ? root : next.take()
      return { before: own, now: own }
    }
    const middle = middleOf(range)
    const [left, right] = halves(range, middle)
    if (before <= middle) {
      const under = await within(left, isOld)
      return { before: under.before, now: await nodeHash(under.now, next.take(), hash) }
    }
    const under = await within(right, false)
    const beside = next.take()
    return {
      before: await nodeHash(beside, under.before, hash),
      now: await nodeHash(beside, under.now, hash),
    }
  }
  const roots = await within({ from: 0, to: size }, true)
  next.end()
  return roots
}

function halves({ from, to }: Range, middle: number): [left: Range, right: Range] {
  return [
    { from, to: middle },
    { from: middle, to },
  ]
}

/** Hashes of a proof, taken one after the other. */
function taken(hashes: readonly Uint8Array[]) {
  let at = 0
  return {
    take: (): Uint8Array => {
      const hash = hashes[at]
      if (hash === undefined) throw new ProofError('The proof has too few hashes.')
      at += 1
      return hash
    },
    end: (): void => {
      if (at < hashes.length) throw new ProofError('The proof has too many hashes.')
    },
  }
}
