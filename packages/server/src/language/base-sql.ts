import { sql } from 'kysely'
import type { Expression } from '../store/expressions.ts'
import { itemRow } from '../store/item-rows.ts'
import { itemTable } from '../store/items.ts'
import { keysTable, membersTable } from '../store/listing-tables.ts'
import type { Sequence } from './sequence.ts'

/** The items of a sequence in a query, of which the row is `r`. */
export type BaseSql = {
  from: Expression
  /** The position in the repository, by which all of the items can be walked through. */
  root: Expression
  /** The sort key, where the sequence is ordered. */
  key: Expression | undefined
  /** Further conditions for an item to be in the sequence, beside its bounds. */
  within: Expression
}

/** `listingId` is that of the listing that a sequence has. */
export function baseSql(sequence: Sequence, listingId: number | undefined): BaseSql {
  const items = sql`${itemTable(sequence.repoId)} as r`
  if (listingId === undefined) {
    const root = itemRow('position')
    return { from: items, root, key: undefined, within: upTo(root, sequence, root) }
  }
  const joined = (table: Expression) =>
    sql`${table} as m join ${items} on ${itemRow('position')} = m.root`
  const root = sql.ref('m.root')
  return sequence.kind === 'plain'
    ? {
        from: joined(membersTable(listingId)),
        root,
        key: undefined,
        within: upTo(sql.ref('m.position'), sequence, root),
      }
    : { from: joined(keysTable(listingId)), root, key: sql.ref('m.key'), within: sql`true` }
}

function upTo(position: Expression, sequence: Sequence, root: Expression): Expression {
  if (sequence.kind === 'ordered') return sql`true`
  const { limit, before } = sequence
  const inLimit = limit < Infinity ? sql`${position} < ${limit}` : sql`true`
  return before < Infinity ? sql`${inLimit} and ${root} < ${before}` : inLimit
}
