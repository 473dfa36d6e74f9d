import { rowLock } from './expressions.ts'
import { now } from './engine-sql.ts'
import type { Db } from './store.ts'

/** How many failures one subject may have, and how its waits grow after them. */
export type AttemptLimit = { subject: string; free: number; waitMaxMs: number }

/** Failures are forgotten after a day without another. */
const rememberedMs = 24 * 3_600_000

const firstWaitMs = 1_000

/**
 * Counts an attempt as failed before it is judged, so that attempts that come together cannot all pass
 * as the first one. Each failure past the free ones doubles the wait.
 * @returns how long to wait, in milliseconds; 0 if the attempt may be made
 */
export async function beginAttempt(db: Db, limits: AttemptLimit[]): Promise<number> {
  const { time } = await db.selectNoFrom(now.as('time')).executeTakeFirstOrThrow()
  const subjects = limits.map(({ subject }) => subject).toSorted()
  // Of those that come together, by whatever processes, each sees what the one before it wrote.
  await db
    .insertInto('sign_in_attempts')
    .values(subjects.map((subject) => ({ subject, failures: 0, retry_at: 0, forget_at: 0 })))
    .onConflict((conflict) => conflict.column('subject').doNothing())
    .execute()
  await db
    .selectFrom('sign_in_attempts')
    .select('subject')
    .where('subject', 'in', subjects)
    .orderBy('subject')
    .modifyEnd(rowLock('change'))
    .execute()
  const attempts = await db
    .selectFrom('sign_in_attempts')
    .selectAll()
    .where('subject', 'in', subjects)
    .where('forget_at', '>', time)
    .execute()
  const wait = Math.max(0, ...attempts.map(({ retry_at }) => retry_at - time))
  if (wait > 0) return wait

  for (const { subject, free, waitMaxMs } of limits) {
    const failures = 1 + (attempts.find((row) => row.subject === subject)?.failures ?? 0)
    const delay = failures < free ? 0 : Math.min(waitMaxMs, firstWaitMs * 2 ** (failures - free))
    const columns = { failures, retry_at: time + delay, forget_at: time + rememberedMs }
    await db
      .insertInto('sign_in_attempts')
      .values({ subject, ...columns })
      .onConflict((conflict) => conflict.column('subject').doUpdateSet(columns))
      .execute()
  }
  return 0
}

/** Takes back an attempt that succeeded: `cleared` begins anew, `spared` is as it was before. */
export async function attemptSucceeded(
  db: Db,
  { cleared, spared }: { cleared?: string; spared: string },
): Promise<void> {
  if (cleared !== undefined) {
    await db.deleteFrom('sign_in_attempts').where('subject', '=', cleared).execute()
  }
  await db
    .updateTable('sign_in_attempts')
    .set(({ eb }) => ({ failures: eb('failures', '-', 1), retry_at: 0 }))
    .where('subject', '=', spared)
    .execute()
}

export async function deleteForgottenAttempts(db: Db): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('forget_at', '<=', now).execute()
}
