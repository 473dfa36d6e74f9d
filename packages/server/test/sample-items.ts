import { canonicalJson, type Item, type ItemValue, type SealedItem } from '@vitrine/contract'
import type { SampleItem, SampleValue } from '../../contract/test/sample-world.ts'
import { sha256 } from './photos.ts'

/** An item as the API lists it. */
export function asItem({ id, data }: SampleItem): Item {
  const values = Object.entries(data).map(([name, value]) => [name, plain(value)])
  return { id, data: Object.fromEntries(values) }
}

function plain(value: SampleValue): ItemValue {
  if (typeof value !== 'object') return value
  return 'json' in value ? value.json : value.sha256
}

/** An item as the API gives it alone. */
export function asSealedItem(item: SampleItem): SealedItem {
  const seals = Object.entries(item.data).map(([name, value]) => [name, sealOf(value)])
  return {
    ...asItem(item),
    createdAt: new Date(item.createdAt).toISOString(),
    integrity: Object.fromEntries(seals),
  }
}

function sealOf(value: SampleValue) {
  if (typeof value === 'object' && 'sha256' in value) {
    return { sha256: value.sha256, size: value.bytes, mime: value.mime }
  }
  const text = typeof value === 'object' ? canonicalJson(value.json) : String(value)
  return { sha256: sha256(text), size: Buffer.byteLength(text) }
}
