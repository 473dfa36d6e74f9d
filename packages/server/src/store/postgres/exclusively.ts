import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { LeaseLost, type Exclusively } from '../leases.ts'
import { now } from '../engine-sql.ts'
import type { Store } from '../store.ts'

/**
 * In milliseconds. A lease that is not renewed ends by the database's clock, so a process that dies
 * holds nothing up for longer; its holder counts on it for less, by a clock that never jumps.
 */
const lease = { held: 15_000, counted: 10_000, renewed: 4_000 }

const expiry = sql<number>`${now} + ${sql.lit(lease.held)}`

/**
 * By rows with an expiry. Locks of the server would end with a session, which poolers hand to others
 * after each transaction.
 */
export function exclusivelyByLease(write: Store['write']): Exclusively {
  return async (name, work) => {
    const holder = randomUUID()
    const began = performance.now()
    if (!(await acquire(write, { name, holder }))) return undefined
    let countedUntil = began + lease.counted
    const renewOnce = async () => {
      const began = performance.now()
      const isHeld = await renew(write, { name, holder })
      countedUntil = isHeld ? began + lease.counted : 0
    }
    // Where that fails, another attempt comes before it ends.
    const renewing = setInterval(() => void renewOnce().catch(() => undefined), lease.renewed)
    const check = () => {
      if (performance.now() > countedUntil) throw new LeaseLost(`lost the lease of ${name}`)
    }
    try {
      return await work({ check })
    } finally {
      clearInterval(renewing)
      // Where that fails, it ends by itself.
      await release(write, { name, holder }).catch(() => undefined)
    }
  }
}

type Held = { name: string; holder: string }

function acquire(write: Store['write'], { name, holder }: Held): Promise<boolean> {
  return write(async (transaction) => {
    const { rows } = await sql`
      insert into leases (name, holder, expires_at) values (${name}, ${holder}, ${expiry})
      on conflict (name) do update
        set holder = excluded.holder, expires_at = excluded.expires_at
        where leases.expires_at <= ${now}
      returning name`.execute(transaction)
    return rows.length > 0
  })
}

function renew(write: Store['write'], { name, holder }: Held): Promise<boolean> {
  return write(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('leases')
      .set({ expires_at: expiry })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  })
}

async function release(write: Store['write'], { name, holder }: Held): Promise<void> {
  await write((transaction) =>
    transaction
      .deleteFrom('leases')
      .where('name', '=', name)
      .where('holder', '=', holder)
      .execute(),
  )
}
