import type { Db } from './store.ts'

export async function findProviderKey(db: Db, name: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('provider_keys')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return found?.value
}

/** Keeps a value unless there is one already. */
export async function addProviderKey(
  db: Db,
  { name, value }: { name: string; value: string },
): Promise<void> {
  await db
    .insertInto('provider_keys')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}
