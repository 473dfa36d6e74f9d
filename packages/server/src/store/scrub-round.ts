import { readClock } from './blob-sightings.ts'
import type { RowPlace } from './datasets.ts'
import type { Db, Store } from './store.ts'

/** A round in which everything is read once. */
export type ScrubRound = {
  /** By the database's clock. */
  beganAt: number
  /** The last digest of a blob that was read. */
  readTo: string
  /** The place from which rows are to be read. */
  rows: RowPlace
  /** The last dataset of which what is derived was compared, in the order of ids. */
  derivedTo: number
}

/** A round that begins at a moment. */
export const beginRound = (beganAt: number): ScrubRound => ({
  beganAt,
  readTo: '',
  rows: { repoId: 0, position: 0 },
  derivedTo: 0,
})

/** Returns the round that is under way, and the time; the first one begins now. */
export async function openScrubRound(store: Store): Promise<ScrubRound & { clock: number }> {
  const clock = await readClock(store.reads)
  const round = await findScrubRound(store.reads)
  if (round !== undefined) return { ...round, clock }
  const first = beginRound(clock)
  await saveScrubRound(store, first)
  return { ...first, clock }
}

async function findScrubRound(db: Db): Promise<ScrubRound | undefined> {
  const row = await db.selectFrom('scrub').selectAll().executeTakeFirst()
  if (row === undefined) return undefined
  const { began_at: beganAt, read_to: readTo, rows_of: repoId, rows_from: position } = row
  return { beganAt, readTo, rows: { repoId, position }, derivedTo: row.derived_to }
}

export async function saveScrubRound(
  store: Store,
  { beganAt, readTo, rows: { repoId, position }, derivedTo }: ScrubRound,
): Promise<void> {
  const row = {
    began_at: beganAt,
    read_to: readTo,
    rows_of: repoId,
    rows_from: position,
    derived_to: derivedTo,
  }
  await store.write((transaction) =>
    transaction
      .insertInto('scrub')
      .values({ number: 1, ...row })
      .onConflict((conflict) => conflict.column('number').doUpdateSet(row))
      .execute(),
  )
}
