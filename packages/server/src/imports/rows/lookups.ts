// Passed between the main thread, which looks up, and checking threads, which ask.

import type { FieldType, SchemaField } from '@vitrine/contract'
import { readId } from '@vitrine/contract/repo/names'
import { scalarText } from '@vitrine/rows/scalar-text'
import { bytesDigest } from './packed-rows.ts'
import type { KeyedItems } from './match-rows.ts'
import type { RawRow, RawValue } from './raw-row.ts'

/** The lookups that the rows of a block need, each once, by the field's number. */
export type Lookups = {
  /** Ids that are referred to. */
  references: Map<number, Set<number>>
  /** Ids that are referred to with the seal that the item is to have, by `sealKey`. */
  seals: Map<number, Map<string, SealedReference>>
  /** Values that items of a field's target are looked up by, by the field of the target. */
  byValue: Map<number, Map<string, Set<string>>>
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
export type LookupResults = {
  /** Ids that no item of the target has. */
  missing: Map<number, Set<number>>
  seals: Map<number, Map<string, FoundBySeal>>
  byValue: Map<number, Map<string, Map<string, LookedUp> | 'unknown'>>
  /** By their names or digests. */
  binaries: Map<string, FoundBytes>
  /** Items that rows are matched with, which are looked up once the keys of the rows are known. */
  matches: KeyedItems
}

export const noLookups = (): Lookups => ({
  references: new Map(),
  seals: new Map(),
  byValue: new Map(),
  binaries: new Set(),
  bytes: new Map(),
})

export function needsNoLookup(lookups: Lookups): boolean {
  return Object.values(lookups).every(({ size }) => size === 0)
}

/** Prepares to find out what rows need to know of what is kept; undefined where they never need to. */
export function prepareLookups(
  schema: readonly SchemaField[],
): ((lookups: Lookups, row: RawRow) => void) | undefined {
  const collecting = schema.flatMap(({ type }, index) => {
    const collect = collectors[type]
    return collect === undefined ? [] : [{ index, collect }]
  })
  if (collecting.length === 0) return undefined
  return (lookups, { values }) => {
    for (const { index, collect } of collecting) {
      const raw = values[index]
      if (raw !== undefined) collect(lookups, raw, index)
    }
  }
}

const collectors: { [type in FieldType]?: typeof collectReference } = {
  reference: collectReference,
  binary: collectBinary,
}

function collectBinary({ binaries, bytes }: Lookups, { value }: RawValue): void {
  if (value instanceof Uint8Array) {
    const sha256 = bytesDigest(value)
    // The others of a page of the file may lie in the same memory.
    if (!bytes.has(sha256)) bytes.set(sha256, new Uint8Array(value))
  } else if (typeof value === 'string' && value !== '') binaries.add(value)
}

function collectReference(
  { references, seals, byValue }: Lookups,
  raw: RawValue,
  index: number,
): void {
  if (raw.lookup !== undefined) {
    const { by, value } = raw.lookup
    const byField = within(byValue, index, () => new Map<string, Set<string>>())
    within(byField, by, () => new Set()).add(value)
  } else if (raw.value !== undefined) {
    const id = readId(scalarText(raw.value) ?? '')
    if (id !== undefined && raw.seal !== undefined) {
      const sealed = { id, seal: raw.seal }
      within(seals, index, () => new Map()).set(sealKey(sealed), sealed)
    } else if (id !== undefined) within(references, index, () => new Set()).add(id)
  }
}

function within<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
