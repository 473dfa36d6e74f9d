import { createToken, listTheirTokens } from '../../access/create-token.ts'
import { personOf } from '../../access/identity.ts'
import { fail } from '../../failure.ts'
import { writeAudit } from '../../store/audit-log.ts'
import type { Store } from '../../store/store.ts'
import { deleteToken } from '../../store/tokens.ts'
import type { Handlers } from '../route.ts'

/** Answers calls about the personal access tokens of whoever makes them. */
export function tokenHandlers(
  store: Store,
  { isEnabled }: { isEnabled: boolean },
): Pick<Handlers, 'tokenList' | 'tokenCreate' | 'tokenRevoke'> {
  return {
    tokenList: ({ identity, visibility, query }) =>
      listTheirTokens(store.reads, { identity, visibility }, query),
    tokenCreate: ({ identity, visibility, body }) =>
      createToken(store, body, { identity, visibility, isEnabled }),
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
