import { AccountError } from '@vitrine/server/accounts'
import { readConfig } from '@vitrine/server/config'
import { openStore, type Store } from '@vitrine/server/store'
import { CommandError } from './command.ts'
import type { Io } from './io.ts'

/**
 * Opens the store of the installation that the environment describes, as the server does. Both may have
 * it open at once, and what is changed here holds for the server's next request.
 */
export async function withAccounts<T>(
  { env }: Pick<Io, 'env'>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const config = readConfig(env)
  if (config.oidc.authority !== undefined) {
    throw new CommandError(
      `People sign in at ${config.oidc.authority} (VITRINE_OIDC_AUTHORITY): their accounts are kept there.`,
    )
  }
  const store = await openStore(config)
  try {
    return await work(store)
  } catch (error) {
    if (error instanceof AccountError) throw new CommandError(error.message, { cause: error })
    throw error
  } finally {
    await store.close()
  }
}
