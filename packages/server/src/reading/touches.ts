import { type ListingOwner, touchExploration } from '../store/listings.ts'
import type { Store } from '../store/store.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import { type Sequence, ownerKey } from '../language/sequence.ts'
import type { ItemReader } from './read-result.ts'
import type { StateSnapshot } from './snapshot.ts'

/** Owners of which it is remembered when they were noted last. */
const keptMax = 1000
/** How often it is noted that an exploration is asked for, in milliseconds. */
const touchMs = 60_000

/** Notes which listings are asked for that are kept only as long as somebody asks. */
export class Touches {
  readonly #store: Store
  readonly #onError: (error: unknown) => void
  readonly #touched = new LruCache<string, number>(keptMax)

  constructor(store: Store, { onError }: { onError: (error: unknown) => void }) {
    this.#store = store
    this.#onError = onError
  }

  /** Notes that owners are asked for, unless that was noted a short while ago; says whether it did. */
  touch(owners: readonly ListingOwner[]): boolean {
    return owners.map((owner) => this.#touch(owner)).includes(true)
  }

  /** Reads through a reader, and notes it each time. */
  readerOf(items: ItemReader, owners: readonly ListingOwner[]): ItemReader {
    if (owners.length === 0) return items
    const touched = (): ItemReader => {
      this.touch(owners)
      return items
    }
    return {
      page: (page, options) => touched().page(page, options),
      count: (options, upTo) => touched().count(options, upTo),
      addedAt: (options) => touched().addedAt(options),
      growth: (options) => touched().growth(options),
      get: (itemId, options, cut) => touched().get(itemId, options, cut),
      neighbours: (itemId, options) => touched().neighbours(itemId, options),
      getField: (fieldName, itemId, options) => touched().getField(fieldName, itemId, options),
      has: (itemId) => touched().has(itemId),
      snapshot: async (from, options) =>
        onEachWindow(await touched().snapshot(from, options), () => this.touch(owners)),
      members: (options) => touched().members(options),
    }
  }

  #touch(owner: ListingOwner): boolean {
    const key = ownerKey(owner)
    const now = performance.now()
    if (now - (this.#touched.find(key) ?? -Infinity) < touchMs) return false
    this.#touched.put(key, now)
    this.#store
      .write((transaction) => touchExploration(transaction, owner), { derived: true })
      .catch(this.#onError)
    return true
  }
}

/** The owners of the listings that a sequence is read from, where these are kept only while somebody asks. */
export function unkeptOwners(sequence: Sequence): ListingOwner[] {
  const bounds = sequence.kind === 'ordered' ? sequence.bounds : []
  const listings = [sequence.listing, ...bounds.map(({ listing }) => listing)]
  return listings.flatMap((listing) =>
    listing === undefined || listing.owner.exploration === '' ? [] : [listing.owner],
  )
}

/** A snapshot that tells of each window that is read. */
function onEachWindow(snapshot: StateSnapshot, tell: () => void): StateSnapshot {
  return {
    ...snapshot,
    read: async function* (to, columns) {
      for await (const rows of snapshot.read(to, columns)) {
        tell()
        yield rows
      }
    },
  }
}
