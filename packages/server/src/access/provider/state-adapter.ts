import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider'
import {
  consumeState,
  deleteState,
  deleteStateOfGrant,
  dropEndedSession,
  endGrant,
  findState,
  putState,
} from '../../store/provider.ts'
import type { Store } from '../../store/store.ts'

/**
 * How `oidc-provider` keeps what it must remember: in the store, so that a restart ends no session.
 * `lookUpCode` wraps how a code is found that somebody typed.
 */
export function stateAdapter(
  store: Store,
  lookUpCode: <T>(find: () => Promise<T | undefined>) => Promise<T | undefined>,
): AdapterFactory {
  return (kind): Adapter => ({
    upsert: (id, payload, expiresIn) => {
      // Everything that this provider keeps has a life (`ttl` of its configuration).
      if (expiresIn === undefined) throw new Error(`${kind} without an expiry`)
      return store.write(async (transaction) => {
        const uid = payload.uid ?? payload.userCode ?? null
        await putState(transaction, {
          kind,
          id,
          payload: JSON.stringify(payload),
          uid,
          grant_id: payload.grantId ?? null,
          account_id: payload.accountId ?? null,
          expires_at: Date.now() + expiresIn * 1000,
        })
        if (kind === 'Session' && uid !== null) await dropEndedSession(transaction, { id, uid })
      })
    },
    find: async (id) => read(await findState(store.reads, { kind, id })),
    findByUid: async (uid) => read(await findState(store.reads, { kind, uid })),
    findByUserCode: (userCode) =>
      lookUpCode(async () => read(await findState(store.reads, { kind, uid: userCode }))),
    consume: async (id) => {
      const first = await store.write((transaction) => consumeState(transaction, { kind, id }))
      if (!first) throw new errors.InvalidGrant(`${kind} was used before`)
    },
    destroy: (id) =>
      store.write((transaction) =>
        kind === 'Grant' ? endGrant(transaction, id) : deleteState(transaction, { kind, id }),
      ),
    revokeByGrantId: (grantId) =>
      store.write((transaction) => deleteStateOfGrant(transaction, { kind, grantId })),
  })
}

function read(
  row: { payload: string; consumed_at: number | null } | undefined,
): AdapterPayload | undefined {
  if (row === undefined) return undefined
  const payload = JSON.parse(row.payload) as AdapterPayload
  if (row.consumed_at === null) return payload
  return { ...payload, consumed: Math.floor(row.consumed_at / 1000) }
}
