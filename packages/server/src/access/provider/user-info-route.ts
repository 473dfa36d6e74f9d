import type { FastifyInstance } from 'fastify'
import { fail } from '../../failure.ts'
import { findAccount } from '../../store/accounts.ts'
import type { Store } from '../../store/store.ts'
import { authorizationHeader } from '../authorization-header.ts'
import type { Authenticate } from '../identity.ts'
import { realmPath } from './realm.ts'

/** The userinfo endpoint (OpenID Connect Core 1.0 §5.3), by the access tokens of the API. */
export function userInfoRoute(
  app: FastifyInstance,
  { store, authenticate }: { store: Store; authenticate: Authenticate },
): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${realmPath}/me`,
    handler: async (request, reply) => {
      const { subject } = await authenticate(authorizationHeader(request.raw.rawHeaders))
      const account = await findAccount(store.reads, subject)
      if (account === undefined) throw fail('TOKEN_INVALID')
      const { name } = account
      return reply
        .header('cache-control', 'no-store')
        .send({ sub: subject, name, preferred_username: name })
    },
  })
}
