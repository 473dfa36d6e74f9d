import { createToken, tokenInfoOf } from '../../access/create-token.ts'
import { personOf } from '../../access/identity.ts'
import { fail } from '../../failure.ts'
import { writeAudit } from '../../store/audit-log.ts'
import type { Store } from '../../store/store.ts'
import { deleteToken, listTokens } from '../../store/tokens.ts'
import type { Handlers } from '../route.ts'

/** Answers calls about the personal access tokens of whoever makes them. */
export function tokenHandlers(
  store: Store,
  { isEnabled }: { isEnabled: boolean },
): Pick<Handlers, 'tokenList' | 'tokenCreate' | 'tokenRevoke'> {
  return {
    tokenList: async ({ identity, query }) => {
      const rows = await listTokens(store.reads, { ...identity, ...query })
      return rows.map(tokenInfoOf)
    },
    tokenCreate: ({ identity, body }) => createToken(store, body, { identity, isEnabled }),
    tokenRevoke: async ({ identity, params }) => {
      const token = { ...identity, id: params.tokenId }
      const wasThere = await store.write(async (transaction) => {
        const wasDeleted = await deleteToken(transaction, token)
        if (wasDeleted) {
          await writeAudit(transaction, {
            what: 'token-revoked',
            by: personOf(identity),
            details: { token: token.id },
          })
        }
        return wasDeleted
      })
      if (!wasThere) throw fail('TOKEN_NOT_FOUND')
    },
  }
}
