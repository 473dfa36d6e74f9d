// Runs on the main thread.

import { type SchemaField, canonicalText, limits, textOf } from '@vitrine/contract'
import { mimeHeadBytes } from '@vitrine/rows/detect-mime'
import type { Blobs, Bytes } from '../blobs/blobs.ts'
import { readBlob } from '../blobs/read-blob.ts'
import { findLiveBlobs } from '../store/blobs.ts'
import { countImportBlobs, findImportFiles, insertImportBlobs } from '../store/import-blobs.ts'
import { lockImport } from '../store/imports.ts'
import type { Lease } from '../store/leases.ts'
import type { Visibility } from '../store/visibility.ts'
import { mimeOfHead } from '../values/media-type.ts'
import type { ImportContext } from './import-context.ts'
import { keepBytes } from './keep-bytes.ts'
import { plainName } from './archives/archive-entry.ts'
import {
  type FoundBySeal,
  type FoundBytes,
  type LookedUp,
  type LookupResults,
  type Lookups,
  type SealedReference,
  sealKey,
} from './rows/lookups.ts'
import { listMissingItems } from '../store/items.ts'
import { ItemSeals } from '../reading/item-seals.ts'

/** Names, ids or digests of one query: a read must not hold the event loop. */
const batch = 1000

/** Blobs whose first bytes are read side by side. */
const headsAtOnce = 16

/** Looked-up values that are remembered for the blocks that follow. */
const lookupsMax = 500_000

/**
 * Values of a field that were looked up. Blocks are checked side by side, and what one of them looks up is
 * known to the others only once that is done: so they look one after the other.
 */
type Looked = { resolved: Map<string, LookedUp>; last: Promise<boolean> }

/** Prepares to find out, for one import, what its blocks need to know of what is kept. */
export function prepareResolve(
  context: ImportContext,
  {
    importId,
    schema,
    lease,
    visibility,
    hidden,
  }: {
    importId: number
    schema: readonly SchemaField[]
    lease: Lease
    /** Datasets that whoever imports may read. */
    visibility: Visibility
    /** Datasets that references lead to, of whose items none is known. */
    hidden: ReadonlySet<string>
  },
): (lookups: Lookups) => Promise<LookupResults> {
  const looked = new Map<string, Looked>()
  const findBySeal = prepareFindBySeal(context)
  return async (lookups) => {
    const results: LookupResults = {
      missing: new Map(),
      seals: new Map(),
      byValue: new Map(),
      binaries: new Map(),
      matches: new Map(),
    }
    for (const [index, ids] of lookups.references) {
      const target = targetOf(schema, index)
      const missing = hidden.has(target) ? new Set(ids) : await findMissing(context, target, ids)
      results.missing.set(index, missing)
    }
    for (const [index, references] of lookups.seals) {
      const target = targetOf(schema, index)
      const items = hidden.has(target)
        ? new Map(Iterator.from(references.keys()).map((key) => [key, 'none'] as const))
        : await findBySeal(target, references)
      results.seals.set(index, items)
    }
    for (const [index, byField] of lookups.byValue) {
      const byName: LookupResults['byValue'] extends Map<number, infer V> ? V : never = new Map()
      for (const [by, values] of byField) {
        const target = targetOf(schema, index)
        if (hidden.has(target)) {
          byName.set(by, 'unknown')
          continue
        }
        const key = `${target} ${by}`
        let here = looked.get(key)
        if (here === undefined || here.resolved.size > lookupsMax) {
          looked.set(key, (here = { resolved: new Map(), last: Promise.resolve(true) }))
        }
        const { resolved, last } = here
        const find = async () => {
          const unknown = values.difference(resolved)
          return lookUpItems(context, { target, by, values: unknown, resolved, lease })
        }
        here.last = last.then(find)
        const isField = await here.last
        byName.set(by, isField ? pick(resolved, values) : 'unknown')
      }
      results.byValue.set(index, byName)
    }
    if (lookups.binaries.size > 0) {
      results.binaries = await findBytes(context, { importId, visibility }, lookups.binaries)
    }
    for (const [sha256, bytesOf] of await keepBytes(context, importId, lookups.bytes)) {
      results.binaries.set(sha256, bytesOf)
    }
    return results
  }
}

function targetOf(schema: readonly SchemaField[], index: number): string {
  return (schema[index] as Extract<SchemaField, { type: 'reference' }>).target
}

function pick<K, V>(map: ReadonlyMap<K, V>, keys: Iterable<K>): Map<K, V> {
  return new Map(Iterator.from(keys).map((key) => [key, map.get(key)!]))
}

const digest = /^[0-9a-f]{64}$/

/**
 * Finds files of the archive by their names, and bytes that are kept by their digests, of those in datasets that
 * whoever imports may read; these are leased from then on.
 */
async function findBytes(
  { store, blobs }: ImportContext,
  { importId, visibility }: { importId: number; visibility: Visibility },
  names: ReadonlySet<string>,
): Promise<Map<string, FoundBytes>> {
  const bytesByName = new Map<string, { sha256: string; size: number }>()
  const wanted = [...names]
  for (let from = 0; from < wanted.length; from += batch) {
    const some = wanted.slice(from, from + batch)
    const plain = Map.groupBy(some, plainName)
    const names = [...plain.keys()]
    for (const { name, sha256, size } of await findImportFiles(store.reads, importId, names)) {
      for (const each of plain.get(name!) ?? []) bytesByName.set(each, { sha256, size })
    }
    const digests = some.filter((name) => !bytesByName.has(name) && digest.test(name))
    if (digests.length === 0) continue
    await store.write(async (transaction) => {
      await lockImport(transaction, importId)
      const live = await findLiveBlobs(transaction, digests, visibility)
      const start = await countImportBlobs(transaction, importId, 'held')
      const held = live.map((blob, index) => {
        return { kind: 'held' as const, start: start + index, name: null, ...blob }
      })
      await insertImportBlobs(transaction, importId, held)
      for (const blob of live) bytesByName.set(blob.sha256, blob)
    })
  }
  const heads = new Map<string, FoundBytes>()
  const pending = [...bytesByName]
  while (pending.length > 0) {
    const some = pending.splice(0, headsAtOnce)
    const read = some.map(async ([name, blob]) => {
      heads.set(name, { ...blob, detected: await detectBlobMime(blobs, blob) })
    })
    await Promise.all(read)
  }
  return heads
}

/** The media type that the first bytes of a blob tell. */
async function detectBlobMime(blobs: Blobs, blob: Bytes): Promise<string | undefined> {
  if (blob.size === 0) return undefined
  const range = { start: 0, end: Math.min(blob.size, mimeHeadBytes) - 1 }
  return mimeOfHead(new Uint8Array(await readBlob(blobs, blob, range)))
}

/** Lists the ids, of those given, that no item of a dataset has. */
async function findMissing(
  { store, datasets }: ImportContext,
  targetName: string,
  ids: ReadonlySet<number>,
): Promise<Set<number>> {
  const target = await datasets.find(targetName)
  if (target === undefined) return new Set(ids)
  await datasets.catchUp(target)
  const missing = new Set<number>()
  const wanted = [...ids]
  for (let from = 0; from < wanted.length; from += batch) {
    const some = wanted.slice(from, from + batch)
    const repoLacks = await listMissingItems(store.reads, target.repoId, some)
    for (const id of repoLacks) missing.add(id)
    if (!target.isWhole) {
      for (const id of some) if (!missing.has(id) && !(await target.items.has(id))) missing.add(id)
    }
    await new Promise(setImmediate)
  }
  return missing
}

/**
 * Finds the items of a dataset whose field has one of some values, and notes in `known` which item has
 * which: that with the very value, or else the one whose value is the same text composed otherwise (Unicode's NFC).
 * There is no index over any field, so it goes through the dataset once, for all values of a block
 * together.
 * @returns whether the dataset has such a field
 */
async function lookUpItems(
  { datasets }: Pick<ImportContext, 'datasets'>,
  {
    target,
    by,
    values,
    resolved,
    lease,
  }: {
    target: string
    by: string
    values: ReadonlySet<string>
    resolved: Map<string, LookedUp>
    lease: Lease
  },
): Promise<boolean> {
  const dataset = await datasets.find(target)
  const field = dataset?.schema.find(({ name }) => name === by)
  if (dataset === undefined || field === undefined || textOf(field) === undefined) return false
  if (values.size === 0) return true
  const alike = new Map<string, LookedUp>()
  const byForm = Map.groupBy(values, (value) => value.normalize('NFC'))
  const add = (ids: Map<string, LookedUp>, value: string, id: number) =>
    ids.set(value, ids.has(value) ? 'several' : id)
  const exact = new Map<string, LookedUp>()
  await datasets.catchUp(dataset)
  const pageSize = limits.pageSizeMax
  for (let page = 0; ; page += 1) {
    lease.check()
    const { value: items } = await dataset.items.page({ page, pageSize })
    for (const { id, data } of items) {
      const stored = data[by]
      if (stored === undefined) continue
      const text = canonicalText(field, stored)
      for (const value of byForm.get(text.normalize('NFC')) ?? []) {
        add(value === text ? exact : alike, value, id)
      }
    }
    if (items.length < pageSize) break
    await new Promise(setImmediate)
  }
  for (const value of values) resolved.set(value, exact.get(value) ?? alike.get(value) ?? 'none')
  return true
}

/**
 * Datasets of up to so many items are looked through for the item of a seal: there is no index over seals,
 * and what is found is kept for the blocks that follow.
 */
const soughtMax = 200_000

/** Prepares to find the items that sealed references lead to, for one import. */
function prepareFindBySeal(context: ImportContext) {
  const seals = new ItemSeals(context)
  const indexes = new Map<string, ReadonlyMap<string, LookedUp> | undefined>()

  /** The item with the id where it has the seal, or else the only one that has it. */
  return async (
    target: string,
    references: ReadonlyMap<string, SealedReference>,
  ): Promise<Map<string, FoundBySeal>> => {
    const ids = new Set(Iterator.from(references.values()).map(({ id }) => id))
    const there = ids.difference(await findMissing(context, target, ids))
    const sealOf = await seals.of(target, there)
    const items = new Map<string, FoundBySeal>()
    for (const reference of references.values()) {
      const { id, seal } = reference
      if (there.has(id) && sealOf.get(id) === seal) {
        items.set(sealKey(reference), id)
        continue
      }
      if (!indexes.has(target)) indexes.set(target, await indexSeals(context, target, seals))
      const index = indexes.get(target)
      items.set(sealKey(reference), index === undefined ? 'unsought' : (index.get(seal) ?? 'none'))
    }
    return items
  }
}

/** The items of a dataset by their seals; undefined where they are too many. */
async function indexSeals(
  { datasets }: ImportContext,
  target: string,
  seals: ItemSeals,
): Promise<Map<string, LookedUp> | undefined> {
  const index = new Map<string, LookedUp>()
  const dataset = await datasets.find(target)
  if (dataset === undefined) return index
  await datasets.catchUp(dataset)
  const pageSize = limits.pageSizeMax
  for (let page = 0; page * pageSize < soughtMax; page += 1) {
    const { value: items } = await dataset.items.page({ page, pageSize })
    const ids = items.map(({ id }) => id)
    const sealOf = await seals.of(target, ids)
    for (const id of ids) {
      const seal = sealOf.get(id)!
      index.set(seal, index.has(seal) ? 'several' : id)
    }
    if (items.length < pageSize) return index
  }
  return undefined
}
