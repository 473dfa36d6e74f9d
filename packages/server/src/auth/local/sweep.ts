import type { FastifyInstance } from 'fastify'
import { deleteExpiredState } from '../../store/provider-state.ts'
import { deleteForgottenAttempts } from '../../store/sign-in-attempts.ts'
import type { Store } from '../../store/store.ts'

const intervalMs = 10 * 60_000

/** Removes, as long as the server runs, what has expired; nothing of it is valid any more. */
export function sweepProviderState(app: FastifyInstance, store: Store): void {
  const sweep = () =>
    store
      .write(async (transaction) => {
        await deleteExpiredState(transaction)
        await deleteForgottenAttempts(transaction)
      })
      .catch((error: unknown) => app.log.error({ err: error }, 'sweeping sign-in state failed'))
  const timer = setInterval(() => void sweep(), intervalMs)
  app.addHook('onReady', sweep)
  app.addHook('onClose', async () => clearInterval(timer))
}
