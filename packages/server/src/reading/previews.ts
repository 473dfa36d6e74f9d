import { limits, type CheckedView, type Item, type ViewPreview } from '@vitrine/contract'
import { sql } from 'kysely'
import { AdaptiveWindow } from '../store/adaptive-window.ts'
import { itemColumns, itemRow, toItem, type ItemRow } from '../store/item-rows.ts'
import { itemTable } from '../store/items.ts'
import { readHead } from '../store/listings.ts'
import { Kept } from '../runtime/lru-cache.ts'
import type { Prepare } from '../store/prepare.ts'
import type { Definitions } from '../language/definitions.ts'
import { funnel } from './funnel.ts'
import { readPreviewSource, type PreviewSource } from '../views/preview-source.ts'
import { prepareLook, type Found, type LookAt } from './preview-window.ts'
import type { ReadContext } from '../views/read-context.ts'
import { sequenceOf, type Sequence } from '../language/sequence.ts'
import { shownByView, type Shown } from '../language/shown-fields.ts'
import type { Workshop } from '../views/workshop.ts'

const firstWindow = { size: 1024, targetMs: 10 }

/** Previews that are gone on with. */
const keptMax = 100

/** What a preview found: the first items, and by how many clauses were passed, how many items did. */
type Seen = { scanned: number; first: Found[]; countByClauses: number[] }

type Previewed = { view: CheckedView; definitions: Definitions }

/**
 * Evaluates views on as many items of their base as there is time for. Items are looked at in the order
 * of the repository, so of a view in another order the first items are those of the part that was looked
 * at. Who asks for the same again goes on from there; only what was found is kept, in memory.
 */
export class Previews {
  readonly #context: ReadContext
  readonly #workshop: Workshop
  readonly #looks = new Kept<string, PreviewLook>(keptMax)

  constructor(context: ReadContext, workshop: Workshop) {
    this.#context = context
    this.#workshop = workshop
  }

  async evaluate({ view, definitions }: Previewed): Promise<ViewPreview> {
    const { store, catchUp, budgets } = this.#context
    const base = sequenceOf(view.description.base, definitions)
    const { repoId } = base
    if (base.listing !== undefined) await catchUp.reach(base.listing, { partial: true })
    const head = await readHead(store.reads, repoId)
    const source = await readPreviewSource(this.#workshop, base)
    const looked =
      source === undefined
        ? { scanned: 0, first: [], countByClauses: [] }
        : await this.#lookOf({ view, definitions }, base, source).upTo(source.upTo, budgets.preview)
    const isWhole =
      source !== undefined &&
      looked.scanned >= source.upTo &&
      (source.isFinal || source.upTo >= head)
    const steps = funnel(view, looked.countByClauses, isWhole)
    const { count, exact } = steps.at(-1)!
    return {
      schema: view.schema,
      items: await readItems(store.prepare, repoId, shownByView(view, definitions), looked.first),
      totalItems: count,
      exact: exact && isWhole,
      scanned: isWhole ? head : looked.scanned,
      total: head,
      funnel: steps,
    }
  }

  /** Definitions never change, ids are never given twice, and under one last key are the same items. */
  #lookOf({ view, definitions }: Previewed, base: Sequence, source: PreviewSource): PreviewLook {
    const { where, split, order, limit } = view.description
    const ids = view.dependsOn.map((name) => definitions.get(name).id)
    const { listingId } = source
    const bound = source.bound && Buffer.from(source.bound).toString('hex')
    const key = JSON.stringify([ids, { where, split, order, limit, listingId, bound }])
    const { prepare } = this.#context.store
    return this.#looks.get(key, () => {
      const wanted = Math.min(limits.previewItems, view.limit ?? Infinity)
      return new PreviewLook(prepareLook(prepare, { view, definitions, base, source }), wanted)
    })
  }
}

/** One look through the items of a base, which goes on whenever it is asked for. */
class PreviewLook {
  readonly #look: LookAt
  readonly #wanted: number
  readonly #window = new AdaptiveWindow(firstWindow)
  #seen: Seen = { scanned: 0, first: [], countByClauses: [] }
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
    const { countByClauses, find } = this.#look
    while (this.#seen.scanned < end && performance.now() < deadline) {
      const began = performance.now()
      const { scanned: from, first } = this.#seen
      const range = { from, to: Math.min(end, from + this.#window.size) }
      const counts = await countByClauses(range)
      const found = await find({ ...range, wanted: this.#wanted })
      this.#seen = {
        scanned: range.to,
        first: [...first, ...found].toSorted(inOrder).slice(0, this.#wanted),
        countByClauses: counts.map((count, index) => {
          return count + (this.#seen.countByClauses[index] ?? 0)
        }),
      }
      this.#window.took(performance.now() - began, range.to - range.from)
      await new Promise(setImmediate)
    }
  }
}

function inOrder([rootA, keyA]: Found, [rootB, keyB]: Found): number {
  return keyA === null || keyB === null ? rootA - rootB : Buffer.compare(keyA, keyB)
}

async function readItems(
  prepare: Prepare,
  repoId: number,
  { fields, joins }: Shown,
  found: readonly Found[],
): Promise<Item[]> {
  if (found.length === 0) return []
  const roots = found.map(([root]) => root)
  const select = prepare<object, [root: number, ...ItemRow]>(
    () => sql`
      select ${itemRow('position')} as root, ${itemColumns(fields)}
      from ${itemTable(repoId)} as r ${joins} where ${itemRow('position')} in (${sql.join(roots)})`,
  )
  const rows = await select({})
  const byRoot = new Map(rows.map(([root, ...row]) => [root, toItem(row, fields)]))
  return roots.flatMap((root) => byRoot.get(root) ?? [])
}
