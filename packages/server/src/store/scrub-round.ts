import { readClock } from './blob-sightings.ts'
import type { Db, Store } from './store.ts'

/** A round in which every blob is read once: since when by the database's clock, and up to which digest. */
export type ScrubRound = { beganAt: number; readTo: string }

/** Returns the round that is under way, and the time; the first one begins now. */
export async function openScrubRound(store: Store): Promise<ScrubRound & { clock: number }> {
  const clock = await readClock(store.reads)
  const round = await findScrubRound(store.reads)
  if (round !== undefined) return { ...round, clock }
  const first = { beganAt: clock, readTo: '' }
  await saveScrubRound(store, first)
  return { ...first, clock }
}

async function findScrubRound(db: Db): Promise<ScrubRound | undefined> {
  return db
    .selectFrom('scrub')
    .select(['began_at as beganAt', 'read_to as readTo'])
    .executeTakeFirst()
}

export async function saveScrubRound(store: Store, { beganAt, readTo }: ScrubRound): Promise<void> {
  const row = { began_at: beganAt, read_to: readTo }
  await store.write((transaction) =>
    transaction
      .insertInto('scrub')
      .values({ number: 1, ...row })
      .onConflict((conflict) => conflict.column('number').doUpdateSet(row))
      .execute(),
  )
}
