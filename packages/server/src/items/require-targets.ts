import { quote, type Problem, type SchemaField } from '@vitrine/contract'
import { failAt } from '../failure.ts'
import type { StoredValue } from '../store/items.ts'
import type { Db } from '../store/store.ts'
import { hasItem } from '../views/compile-view.ts'

/**
 * Refuses references to what is no committed item.
 * @throws Failure DATA_NOT_CONFORMING, naming the fields
 */
export async function requireTargets(
  db: Db,
  schema: readonly SchemaField[],
  values: ReadonlyMap<string, StoredValue>,
): Promise<void> {
  const problems: Problem[] = []
  for (const field of schema) {
    const value = values.get(field.name)
    if (field.type !== 'reference' || value?.type !== 'reference') continue
    if (!(await hasItem(db, field.target, value.id))) {
      const reason = `there is no item ${value.id} in ${quote(field.target)}`
      problems.push({ path: [field.name], reason })
    }
  }
  if (problems.length > 0) throw failAt('DATA_NOT_CONFORMING', problems)
}
