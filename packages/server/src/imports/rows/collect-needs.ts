import type { FieldType, SchemaField } from '@vitrine/contract'
import { readId } from '@vitrine/contract/repo/names'
import { scalarText } from '@vitrine/rows/scalar-text'
import { bytesDigest } from './packed-rows.ts'
import type { RawRow, RawValue } from './raw-row.ts'
import { sealKey, type Needs } from './resolution.ts'

/** Prepares to find out what rows need to know of what is kept; undefined where they never need to. */
export function prepareNeeds(
  schema: readonly SchemaField[],
): ((needs: Needs, row: RawRow) => void) | undefined {
  const collecting = schema.flatMap(({ type }, index) => {
    const collect = collectors[type]
    return collect === undefined ? [] : [{ index, collect }]
  })
  if (collecting.length === 0) return undefined
  return (needs, { values }) => {
    for (const { index, collect } of collecting) {
      const raw = values[index]
      if (raw !== undefined) collect(needs, raw, index)
    }
  }
}

const collectors: { [type in FieldType]?: typeof collectReference } = {
  reference: collectReference,
  binary: collectBinary,
}

function collectBinary({ binaries, bytes }: Needs, { value }: RawValue): void {
  if (value instanceof Uint8Array) {
    const sha256 = bytesDigest(value)
    // The others of a page of the file may lie in the same memory.
    if (!bytes.has(sha256)) bytes.set(sha256, new Uint8Array(value))
  } else if (typeof value === 'string' && value !== '') binaries.add(value)
}

function collectReference(
  { references, seals, lookups }: Needs,
  raw: RawValue,
  index: number,
): void {
  if (raw.lookup !== undefined) {
    const { by, value } = raw.lookup
    const byField = within(lookups, index, () => new Map<string, Set<string>>())
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
