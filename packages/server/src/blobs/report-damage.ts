import type { BaseLogger } from 'pino'
import { countDamage, listHolders, noteDamage } from '../store/damage.ts'
import type { Store } from '../store/store.ts'
import type { Blobs } from './blobs.ts'
import { DamagedBlob } from './damaged-blob.ts'

/** Values named in one line of the log. */
const namedMax = 20

export type DamageReport = { store: Store; blobs: Blobs; logger: Pick<BaseLogger, 'fatal'> }

/** Logs damage that reading a blob met, with the values that have it, and notes it. It never throws. */
export async function reportDamage(
  { store, blobs, logger }: DamageReport,
  error: unknown,
): Promise<void> {
  if (!(error instanceof DamagedBlob)) return
  const { sha256, what, cause } = error
  const facts = { sha256, what, ...(cause !== undefined && { err: cause }) }
  try {
    const values = await listHolders(store.reads, sha256, namedMax)
    logger.fatal({ ...facts, values }, 'the bytes of a committed value are damaged')
    await store.write((transaction) => noteDamage(transaction, { sha256, what }))
    blobs.health.damaged = await countDamage(store.reads)
  } catch (failed) {
    logger.fatal({ ...facts, err: failed }, 'the damage of a blob could not be noted')
  }
}
