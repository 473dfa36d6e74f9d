/** The lookups that the rows of a block need, each once, by the field's number. */
export type Needs = {
  /** Ids that are referred to. */
  references: Map<number, Set<number>>
  /** Ids that are referred to with the seal that the item is to have, by `sealKey`. */
  seals: Map<number, Map<string, SealedReference>>
  /** Values that items of a field's target are looked up by, by the field of the target. */
  lookups: Map<number, Map<string, Set<string>>>
  /** Files of the archive, or digests of bytes that are kept. */
  binaries: Set<string>
  /** Binary values that stand in the rows themselves, by their sha256, each in memory of its own. */
  bytes: Map<string, Uint8Array<ArrayBuffer>>
}

export type SealedReference = { id: number; seal: string }
export const sealKey = ({ id, seal }: SealedReference) => `${id} ${seal}`

/**
 * The item that has a seal, or why none is taken: several have it, or the one with the id has another and
 * the dataset is too large to look for it.
 */
export type FoundBySeal = LookedUp | 'unsought'

export type LookedUp = number | 'none' | 'several'

export type FoundBytes = {
  sha256: string
  size: number
  /** The media type that the first bytes tell. */
  detected: string | undefined
}

/** The results of those lookups. */
export type Resolution = {
  /** Ids that no item of the target has. */
  missing: Map<number, Set<number>>
  seals: Map<number, Map<string, FoundBySeal>>
  lookups: Map<number, Map<string, Map<string, LookedUp> | 'unknown'>>
  /** By their names or digests. */
  binaries: Map<string, FoundBytes>
}

export const nothingNeeded = (): Needs => ({
  references: new Map(),
  seals: new Map(),
  lookups: new Map(),
  binaries: new Set(),
  bytes: new Map(),
})

export function needsNothing(needs: Needs): boolean {
  return Object.values(needs).every(({ size }) => size === 0)
}
