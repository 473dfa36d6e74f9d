import type { Transaction } from 'kysely'
import type { ApartWrite } from '../worker-write.ts'
import type { Tables } from '../tables.ts'

export async function runApartWrite(
  transaction: Transaction<Tables>,
  { claim, statements }: ApartWrite,
): Promise<void> {
  const { numAffectedRows } = await claim.execute(transaction)
  if (numAffectedRows === 0n) return
  for (const statement of statements) await statement.execute(transaction)
}
