import { type CheckedView, type PreviewStep, type ViewPreview, limits } from '@vitrine/contract'
import { AdaptiveWindow } from '../store/adaptive-window.ts'
import { readHead } from '../store/listings.ts'
import { readLastSince } from '../store/superseded.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import type { Definitions } from '../language/definitions.ts'
import {
  type Counted,
  type Found,
  type LookAt,
  type PreviewSource,
  castsOf,
  prepareLook,
  readPreviewSource,
} from './preview-window.ts'
import { readItemsAt } from './plain-reads.ts'
import type { ReadContext } from './read-context.ts'
import { baseSequence } from '../language/sequence-of.ts'
import { type Sequence, sequenceEnd } from '../language/sequence.ts'
import { cutTexts, shownByView } from '../language/shown-fields.ts'
import type { ListingContext } from '../listings/listing-context.ts'

/** Few, as texts may be long. */
const firstWindow = { size: 64, targetMs: 10 }

/** Previews that are gone on with. */
const keptMax = 100

/**
 * The result of a preview: the first items, and for each number of clauses how many items passed that
 * many.
 */
type Seen = { scanned: number; first: Found[] } & Counted

const nothingSeen: Seen = { scanned: 0, first: [], byClauses: [], unparsed: [] }

type Previewed = { view: CheckedView; definitions: Definitions }

/**
 * Evaluates views on as many items of their base as there is time for. Items are looked at in the order
 * of the repository, so of a view in another order the first items are those of the part that was looked
 * at. Who asks for the same again goes on from there; only what was found is kept, in memory.
 */
export class Previews {
  readonly #context: ReadContext
  readonly #listingContext: ListingContext
  readonly #looks = new LruCache<string, PreviewLook>(keptMax)

  constructor(context: ReadContext, listingContext: ListingContext) {
    this.#context = context
    this.#listingContext = listingContext
  }

  async evaluate({ view, definitions }: Previewed): Promise<ViewPreview> {
    const { store, catchUp, budgets } = this.#context
    const base = baseSequence(view, definitions)
    const { repoId } = base
    if (base.listing !== undefined) await catchUp.reach(base.listing, { partial: true })
    const head = Math.min(await readHead(store.reads, repoId), sequenceEnd(base))
    const source = await readPreviewSource(this.#listingContext, base)
    const isCurrent = view.current || base.isCurrent
    const lastSince = isCurrent ? await readLastSince(store.reads, repoId, head) : undefined
    const looked =
      source === undefined
        ? nothingSeen
        : await this.#lookOf({ view, definitions }, base, { ...source, lastSince }).upTo(
            source.upTo,
            budgets.preview,
          )
    const isWhole =
      source !== undefined &&
      looked.scanned >= source.upTo &&
      (source.isFinal || source.upTo >= head)
    const shown = cutTexts(shownByView(view, definitions), limits.cut)
    const steps = funnel(view, looked.byClauses, isWhole)
    const { count, exact } = steps.at(-1)!
    return {
      schema: view.schema,
      items: await readItemsAt(
        store.prepare,
        { repoId, shown },
        looked.first.map(([position]) => position),
      ),
      totalItems: count,
      exact: exact && isWhole,
      scanned: isWhole ? head : looked.scanned,
      total: head,
      funnel: steps,
      unparsed: castsOf(view).map(({ field }, index) => {
        return { field: field.name, count: looked.unparsed[index] ?? 0 }
      }),
    }
  }

  /**
   * Returns the cached look at a base: definitions of a revision never change, ids are never given twice, and under one
   * last key are the same items.
   */
  #lookOf({ view, definitions }: Previewed, base: Sequence, source: PreviewSource): PreviewLook {
    const { current, where, split, order, limit } = view.description
    const { at } = view.base
    const ids = view.dependsOn.map((name) => {
      const { id, revision } = definitions.get(name)
      return [id, revision]
    })
    const { listingId, lastSince } = source
    const bound = source.bound && Buffer.from(source.bound).toString('hex')
    const casts = castsOf(view).map(({ field, path }) => [field, path.text])
    const key = JSON.stringify([
      ids,
      { at, current, where, split, order, limit, casts, listingId, bound, lastSince },
    ])
    const { prepareInWorker } = this.#context.store
    return this.#looks.get(key, () => {
      const wanted = Math.min(limits.previewItems, view.limit ?? Infinity)
      return new PreviewLook(
        prepareLook(prepareInWorker, { view, definitions, base, source }),
        wanted,
      )
    })
  }
}

/** One look through the items of a base, which goes on whenever it is asked for. */
class PreviewLook {
  readonly #look: LookAt
  readonly #wanted: number
  readonly #window = new AdaptiveWindow(firstWindow)
  #seen: Seen = nothingSeen
  #running: Promise<void> | undefined

  constructor(look: LookAt, wanted: number) {
    this.#look = look
    this.#wanted = wanted
  }

  /** Looks at more items, or waits for who does so already; says what was found by then. */
  async upTo(end: number, budgetMs: number): Promise<Seen> {
    this.#running ??= this.#goOn(end, budgetMs).finally(() => {
      this.#running = undefined
    })
    await this.#running
    return this.#seen
  }

  async #goOn(end: number, budgetMs: number): Promise<void> {
    const deadline = performance.now() + budgetMs
    const { count, find } = this.#look
    while (this.#seen.scanned < end && performance.now() < deadline) {
      const began = performance.now()
      const { scanned: from, first } = this.#seen
      const range = { from, to: Math.min(end, from + this.#window.size) }
      const { byClauses, unparsed } = await count(range)
      const rows = await find({ ...range, wanted: this.#wanted })
      this.#seen = {
        scanned: range.to,
        first: [...first, ...rows].toSorted(inOrder).slice(0, this.#wanted),
        byClauses: sums(byClauses, this.#seen.byClauses),
        unparsed: sums(unparsed, this.#seen.unparsed),
      }
      this.#window.took(performance.now() - began, range.to - range.from)
      await new Promise(setImmediate)
    }
  }
}

function sums(counts: readonly number[], before: readonly number[]): number[] {
  return counts.map((count, index) => count + (before[index] ?? 0))
}

function inOrder([rootA, keyA]: Found, [rootB, keyB]: Found): number {
  return keyA === null || keyB === null ? rootA - rootB : Buffer.compare(keyA, keyB)
}

/**
 * How many items are left after each clause of a view. `countByClauses` says how many passed none of
 * its tests, exactly the first one, and so on: whether they are current, its conditions and its split.
 */
function funnel(
  { current, where, split, limit }: Pick<CheckedView, 'current' | 'where' | 'split' | 'limit'>,
  countByClauses: readonly number[],
  isWhole: boolean,
): PreviewStep[] {
  const passing = (clauses: number) =>
    countByClauses.slice(clauses).reduce((sum, count) => sum + count, 0)
  const tests: Pick<PreviewStep, 'at' | 'clause'>[] = [
    { at: ['base'], clause: 'base' },
    ...(current ? [{ at: ['current'], clause: 'current' as const }] : []),
    ...where.map(({ at }) => ({ at, clause: 'where' as const })),
    ...(split === undefined ? [] : [{ at: ['split'], clause: 'split' as const }]),
  ]
  const steps = tests.map((test, passed): PreviewStep => {
    return { ...test, count: passing(passed), exact: isWhole }
  })
  if (limit !== undefined) {
    const { count } = steps.at(-1)!
    // More cannot become of what has reached the limit.
    const exact = isWhole || count >= limit
    steps.push({ at: ['limit'], clause: 'limit', count: Math.min(count, limit), exact })
  }
  return steps
}
