import { limits, type CheckedView, type Item, type ViewPreview } from '@vitrine/contract'
import { sql } from 'kysely'
import { AdaptiveWindow } from '../store/adaptive-window.ts'
import { itemColumns, itemRow, toItem, type ItemRow } from '../store/item-rows.ts'
import { itemTable } from '../store/items.ts'
import { readHead } from '../store/listings.ts'
import type { Prepare } from '../store/prepare.ts'
import type { Definitions } from './definitions.ts'
import { funnel } from './funnel.ts'
import { readPreviewSource, type PreviewSource } from './preview-source.ts'
import { prepareLook, type Found } from './preview-window.ts'
import type { ReadContext } from './read-context.ts'
import { sequenceOf } from './sequence.ts'
import { shownByView, type Shown } from './shown-fields.ts'
import type { Workshop } from './workshop.ts'

const firstWindow = { size: 1024, targetMs: 10 }

/** What a preview found: the first items, and by how many clauses were passed, how many items did. */
type Seen = { scanned: number; first: Found[]; countByClauses: number[] }

/**
 * Evaluates a view on as many items of its base as there is time for, and keeps nothing. Items are
 * looked at in the order of the repository, so of a view in another order the first items are those of
 * the part that was looked at.
 */
export async function evaluatePreview(
  { store, catchUp, budgets }: ReadContext,
  workshop: Workshop,
  { view, definitions }: { view: CheckedView; definitions: Definitions },
): Promise<ViewPreview> {
  const deadline = performance.now() + budgets.preview
  const base = sequenceOf(view.description.base, definitions)
  const { repoId } = base
  if (base.listing !== undefined) await catchUp.reach(base.listing, { partial: true })
  const head = await readHead(store.reads, repoId)
  const source = await readPreviewSource(workshop, base)
  const seen: Seen =
    source === undefined
      ? { scanned: 0, first: [], countByClauses: [] }
      : await look(store.prepare, { view, definitions, base, source }, deadline)
  const isWhole =
    source !== undefined && seen.scanned >= source.upTo && (source.isFinal || source.upTo >= head)
  const steps = funnel(view, seen.countByClauses, isWhole)
  const { count, exact } = steps.at(-1)!
  return {
    schema: view.schema,
    items: await readItems(store.prepare, repoId, shownByView(view, definitions), seen.first),
    totalItems: count,
    exact: exact && isWhole,
    scanned: isWhole ? head : seen.scanned,
    funnel: steps,
  }
}

async function look(
  prepare: Prepare,
  looked: Parameters<typeof prepareLook>[1] & { source: PreviewSource },
  deadline: number,
): Promise<Seen> {
  const { view, source } = looked
  const wanted = Math.min(limits.previewItems, view.limit ?? Infinity)
  const { countByClauses, find } = prepareLook(prepare, looked)
  const window = new AdaptiveWindow(firstWindow)
  const seen: Seen = { scanned: 0, first: [], countByClauses: [] }
  while (seen.scanned < source.upTo && performance.now() < deadline) {
    const began = performance.now()
    const range = { from: seen.scanned, to: Math.min(source.upTo, seen.scanned + window.size) }
    for (const [index, count] of (await countByClauses(range)).entries()) {
      seen.countByClauses[index] = (seen.countByClauses[index] ?? 0) + count
    }
    const found = await find({ ...range, wanted })
    seen.first = [...seen.first, ...found].toSorted(inOrder).slice(0, wanted)
    seen.scanned = range.to
    window.took(performance.now() - began, range.to - range.from)
    await new Promise(setImmediate)
  }
  return seen
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
