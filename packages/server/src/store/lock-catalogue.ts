import type { Transaction } from 'kysely'
import { rowLock } from './expressions.ts'
import type { Tables } from './tables.ts'

/** The row of `leases` that stands for all datasets. */
export const catalogue = 'catalogue'

/** Lets datasets come and go one at a time: whether one may depends on others. */
export async function lockCatalogue(transaction: Transaction<Tables>): Promise<void> {
  await transaction
    .selectFrom('leases')
    .select('name')
    .where('name', '=', catalogue)
    .modifyEnd(rowLock('change'))
    .execute()
}
