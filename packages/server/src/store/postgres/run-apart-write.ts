import { sql, type Transaction } from 'kysely'
import type { ApartWrite, ListedRow } from '../apart-write.ts'
import type { Tables } from '../tables.ts'

/** The engine takes a list of rows apart, so that one statement is for all of them. */
export async function runApartWrite(
  transaction: Transaction<Tables>,
  { claim, statements }: ApartWrite,
): Promise<void> {
  const { numAffectedRows } = await claim.execute(transaction)
  if (numAffectedRows === 0n) return
  for (const statement of statements) {
    const whole = 'rows' in statement ? statement.statement(listed(statement.rows)) : statement
    await whole.execute(transaction)
  }
}

function listed(rows: Uint8Array): ListedRow {
  return {
    index: sql`(ordinality - 1)`,
    cell: (index, type) =>
      type === 'integer'
        ? sql`cast(value ->> ${sql.lit(index)} as bigint)`
        : sql`value ->> ${sql.lit(index)}`,
    from: sql`
      from jsonb_array_elements(convert_from(${rows}, 'UTF8')::jsonb) with ordinality`,
  }
}
