import type { DatasetDiff, ItemChange } from '@vitrine/contract'
import { sql } from 'kysely'
import { cutTexts } from '../language/shown-fields.ts'
import type { ReadOptions } from '../listings/catch-up.ts'
import { listCorrections } from '../store/corrections.ts'
import type { Expression } from '../store/expressions.ts'
import { itemTable } from '../store/items.ts'
import { correctedBy } from '../store/leaf.ts'
import { membersTable, orderTable } from '../store/listing-tables.ts'
import { isSuperseded } from '../store/superseded.ts'
import type { Db, Store } from '../store/store.ts'
import type { ReadableDataset } from './compiled-datasets.ts'
import { readItemsAt } from './plain-reads.ts'
import type { Members, Page } from './read-result.ts'

/** The items that only one of two states of a dataset has. */
export type StateDiff = Pick<DatasetDiff, 'added' | 'removed' | 'changes'>

/** Position in the repository of an item that only one of two states has. */
type Change = { root: number; change: ItemChange['change'] }
type Changes = Pick<StateDiff, 'added' | 'removed'> & { page: Change[] }
type PlainMembers = Extract<Members, { kind: 'plain' }>
type Part = { offset: number; limit: number }

/**
 * Compares two states of a dataset; undefined where a listing was replaced meanwhile.
 * @throws Failure PAGE_TOO_LARGE, VIEW_NOT_READY
 */
export async function diffStates(
  store: Store,
  { before, after, page }: { before: ReadableDataset; after: ReadableDataset; page: Page },
  options?: ReadOptions,
): Promise<StateDiff | undefined> {
  const [earlier, later] = [await before.items.members(options), await after.items.members(options)]
  const part = { offset: page.page * page.pageSize, limit: page.pageSize }
  const { reads, prepare } = store
  const { repoId } = after
  const changes =
    isPlain(earlier) && isPlain(later) && earlier.listingId === later.listingId
      ? await readGrowth(reads, repoId, { earlier, later, part })
      : await readDifference(store, repoId, { earlier, later, part })
  if (!(await areListed(reads, [earlier, later]))) return undefined
  const shown = page.cut === undefined ? after.shown : cutTexts(after.shown, page.cut)
  const items = await readItemsAt(
    prepare,
    { repoId, shown },
    changes.page.map(({ root }) => root),
  )
  const corrections = await listCorrections(
    reads,
    repoId,
    items.map(({ id }) => id),
  )
  return {
    added: changes.added,
    removed: changes.removed,
    changes: items.map((item, index) => {
      const { change } = changes.page[index]!
      const correction = change === 'added' ? corrections.get(item.id) : undefined
      return { change, item, ...(correction && correctedBy(correction)) }
    }),
  }
}

/** Whether a table only grows, at its end. */
function isPlain(members: Members): members is PlainMembers {
  return members.kind === 'plain' && members.currentAt === undefined
}

/** Reads the end of a sequence that only grows, whose beginning is its earlier state. */
async function readGrowth(
  db: Db,
  repoId: number,
  { earlier, later, part }: { earlier: PlainMembers; later: PlainMembers; part: Part },
): Promise<Changes> {
  const from = earlier.count + part.offset
  const to = Math.min(from + part.limit, later.count)
  const { rows } = await sql<{ root: number }>`
    select root from (${rootsOf(repoId, later)}) as later
    where place >= ${from} and place < ${to} order by place`.execute(db)
  return {
    added: later.count - earlier.count,
    removed: 0,
    page: rows.map(({ root }) => ({ root, change: 'added' })),
  }
}

/** Compares all items of two states, as where a limit lets items go; apart from the event loop, as they may be many. */
async function readDifference(
  { prepareInWorker }: Store,
  repoId: number,
  { earlier, later, part }: { earlier: Members; later: Members; part: Part },
): Promise<Changes> {
  const roots = (members: Members) => sql`select root from (${rootsOf(repoId, members)}) as members`
  // A row with both counts, and one for each item of the page.
  const select = prepareInWorker<Part, [kind: 'counts' | Change['change'], number, number]>(
    (slot) => sql`
      with earlier as materialized (${roots(earlier)}),
      later as materialized (${roots(later)}),
      added as materialized (select root from later except select root from earlier),
      removed as materialized (select root from earlier except select root from later)
      select 'counts', (select count(*) from added), (select count(*) from removed)
      union all
      select change, root, 0 from (
        select 'added' as change, root from added union all select 'removed', root from removed
        order by root limit ${slot('limit')} offset ${slot('offset')}
      ) as page`,
  )
  const changes: Changes = { added: 0, removed: 0, page: [] }
  for (const [kind, number, removed] of await select(part)) {
    if (kind === 'counts') Object.assign(changes, { added: number, removed })
    else changes.page.push({ root: number, change: kind })
  }
  changes.page.sort((a, b) => a.root - b.root)
  return changes
}

/** Query of the positions of items in their repository, and of plain ones of their places in the sequence. */
function rootsOf(repoId: number, members: Members): Expression {
  const { currentAt } = members
  if (currentAt !== undefined) {
    const all = rootsOf(repoId, { ...members, currentAt: undefined })
    return sql`
      select root from (${all}) as every
      where not ${isSuperseded(repoId, sql.ref('root'), sql`${currentAt}`)}`
  }
  if (members.kind === 'ordered') {
    const { listingId, head, bound = null } = members
    return sql`
      select root from ${orderTable(listingId)}
      where root < ${head} and key <= coalesce(${bound}, key)`
  }
  const { listingId, count } = members
  return listingId === undefined
    ? sql`select position as root, position as place from ${itemTable(repoId)}
        where position < ${count}`
    : sql`select root, position as place from ${membersTable(listingId)}
        where position < ${count}`
}

/** Whether listings are there still: one that is not asked for any more is emptied while it may be read. */
async function areListed(db: Db, members: readonly Members[]): Promise<boolean> {
  const ids = new Set(
    members.flatMap(({ listingId }) => (listingId === undefined ? [] : [listingId])),
  )
  if (ids.size === 0) return true
  const rows = await db
    .selectFrom('listings')
    .select('id')
    .where('id', 'in', [...ids])
    .where('state', '!=', 'dropped')
    .execute()
  return rows.length === ids.size
}
