import { textOf, type SchemaField } from '@vitrine/contract'
import { type Entry, type Range, type SealedValue } from '@vitrine/transparency-log'
import { sql } from 'kysely'
import { cellText } from './cell-text.ts'
import { noDigest } from './digest-bytes.ts'
import { hexOf, joinedTexts, type Expression } from './expressions.ts'
import type { Cell } from './item-rows.ts'
import { headOf, isBelow, itemTable, layOutFields } from './items.ts'
import { correctedBy, entryTime, leafOf, nonceOf, sealOf, type Nonces } from './leaf.ts'
import { subjectOf } from './people.ts'
import type { Prepare } from './prepare.ts'
import { digestIn, isPadded } from './row-digests.ts'

/** The entry of a committed item in the log of its repository. */
export type LogEntry = {
  position: number
  entry: Entry
  /** The hash that was kept of it when the item was added; undefined where it was lost. */
  leaf: Uint8Array | undefined
  /** Whether the hash is another one because a value was altered, which is told by itself. */
  isAltered: boolean
}

/** Reads the entries of a repository. */
export type LogEntries = {
  range: (range: Range) => Promise<LogEntry[]>
  /** The hashes of entries, which costs less. */
  leaves: (range: Range) => Promise<Uint8Array[]>
  find: (itemId: number) => Promise<LogEntry | undefined>
}

type Row = [
  position: number,
  id: number,
  createdAt: number,
  author: string | null,
  leaf: Uint8Array | null,
  replaces: number | null,
  withdraws: number | null,
  ...digestsAndBinaries: Cell[],
]

export function prepareLogEntries(
  prepare: Prepare,
  { id: repoId, schema, nonces }: { id: number; schema: readonly SchemaField[]; nonces: Nonces },
  head: Expression = headOf(repoId),
): LogEntries {
  const fields = layOutFields(schema)
  const binaries = fields.filter(({ type }) => textOf({ type }) === undefined)
  const texts = fields.filter(({ type }) => textOf({ type }) !== undefined)
  const columns = sql.join([
    ...['position', 'id', 'created_at'].map((name) => sql.ref(`r.${name}`)),
    sql`(select key from people where people.id = r.author)`,
    sql`leaf`,
    sql`correction.replaces_id`,
    sql`correction.withdraws`,
    ...texts.map(({ type, column, digestAt }) =>
      digestIn(sql`digests`, digestAt, cellText(type, sql.ref(column))),
    ),
    ...binaries.flatMap(({ column }) => [sql.ref(column), sql.ref(`${column}_mime`)]),
  ])
  const isCommitted = isBelow(sql.ref('r.position'), head)
  const committed = sql`from ${itemTable(repoId)} as r where ${isCommitted}`
  const corrected = sql`
    from ${itemTable(repoId)} as r
    left join corrections as correction
      on correction.dataset_id = ${sql.lit(repoId)} and correction.item_id = r.id
    where ${isCommitted}`
  const selectRange = prepare<Range, Row>(
    (slot) => sql`
      select ${columns} ${corrected}
      and r.position >= ${slot('from')} and r.position < ${slot('to')} order by r.position`,
  )
  const selectOne = prepare<{ itemId: number }, Row>(
    (slot) => sql`select ${columns} ${corrected} and r.id = ${slot('itemId')}`,
  )
  // One text for all: each small buffer would cost the way from the reading thread as much as a large one.
  // In SQLite the hex of null is an empty text, which would be joined.
  const selectLeaves = prepare<Range, [count: number, leaves: Uint8Array | string | null]>(
    (slot) => sql`
      select count(*), ${joinedTexts(sql.ref('leaf'))} from (
        select nullif(${hexOf(sql.ref('leaf'))}, '') as leaf ${committed}
        and position >= ${slot('from')} and position < ${slot('to')} order by position
      ) as leaves`,
  )
  const toEntry = (row: Row): LogEntry => {
    const [position, id, createdAt, author, leaf, replaces, withdraws, ...cells] = row
    const values: SealedValue[] = []
    for (const [at, { name: field }] of texts.entries()) {
      const sha256 = cells[at]
      if (sha256 && sha256 !== noDigest) values.push({ field, sha256: String(sha256) })
    }
    for (const [at, { name: field }] of binaries.entries()) {
      const [sha256, mime] = cells.slice(texts.length + 2 * at)
      if (sha256 !== null) values.push({ field, sha256: String(sha256), mime: String(mime) })
    }
    const by = author === null ? {} : { by: subjectOf(author) }
    const replacing =
      replaces === null ? undefined : correctedBy({ replaces, withdraws: withdraws === 1 })
    const nonce = nonceOf(nonces, { id, position })
    const seal = sealOf(values)
    const entry = { id, createdAt: entryTime(createdAt), ...by, ...nonce, ...replacing, seal }
    const isAltered = values.some(({ sha256 }) => isPadded(sha256))
    return { position, entry, leaf: leaf ?? undefined, isAltered }
  }
  const range = async (wanted: Range) => (await selectRange(wanted)).map(toEntry)
  return {
    range,
    leaves: async (wanted) => {
      const [count, joined] = (await selectLeaves(wanted))[0]!
      const text = typeof joined === 'string' ? joined : Buffer.from(joined ?? []).toString()
      const leaves = text === '' ? [] : text.split(',')
      // Those of items from before there was a log are null, and not joined.
      if (leaves.length < count) {
        return (await range(wanted)).map(({ entry, leaf }) => leaf ?? leafOf(entry))
      }
      return leaves.map((leaf) => Buffer.from(leaf, 'hex'))
    },
    find: async (itemId) => (await selectOne({ itemId })).map(toEntry)[0],
  }
}
