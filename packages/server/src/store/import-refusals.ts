import type { Refusal } from '@vitrine/contract'
import type { Db, Transaction } from './store.ts'

/** Rows of one statement: SQLite takes 32,766 parameters. */
const batch = 1000

/** Notes why rows were refused; `number` of the first counts those that were noted before. */
export async function insertRefusals(
  transaction: Transaction,
  { importId, number }: { importId: number; number: number },
  refusals: readonly Refusal[],
): Promise<void> {
  for (let from = 0; from < refusals.length; from += batch) {
    const rows = refusals.slice(from, from + batch).map((refusal, index) => ({
      import_id: importId,
      number: number + from + index,
      ...refusal,
      value: refusal.value ?? null,
    }))
    await transaction.insertInto('import_refusals').values(rows).execute()
  }
}

/** Reads refusals from a number on, in the order of the file. */
export function readRefusals(
  db: Db,
  { importId, from, limit }: { importId: number; from: number; limit: number },
): Promise<Refusal[]> {
  return db
    .selectFrom('import_refusals')
    .select(['row', 'line', 'field', 'reason', 'value'])
    .where('import_id', '=', importId)
    .where('number', '>=', from)
    .orderBy('number')
    .limit(limit)
    .execute()
}

/** Removes so many refusals of an import; returns whether there were as many. */
export async function dropRefusals(
  transaction: Transaction,
  importId: number,
  count: number,
): Promise<boolean> {
  const last = await transaction
    .selectFrom('import_refusals')
    .select('number')
    .where('import_id', '=', importId)
    .orderBy('number')
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst()
  let deletion = transaction.deleteFrom('import_refusals').where('import_id', '=', importId)
  if (last !== undefined) deletion = deletion.where('number', '<=', last.number)
  await deletion.execute()
  return last !== undefined
}
