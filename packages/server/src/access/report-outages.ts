import type { FastifyBaseLogger } from 'fastify'
import { Failure } from '../failure.ts'
import type { Authenticate } from './identity.ts'

/** How often the log says at most that the provider is unavailable, in milliseconds. */
const pauseMs = 60_000

/**
 * Logs with their cause the requests that are refused because the provider is unavailable: the first at
 * once, and then one line a minute with how many there were since the last.
 */
export function reportOutages(
  authenticate: Authenticate,
  { logger, clock = Date.now }: { logger: FastifyBaseLogger; clock?: () => number },
): Authenticate {
  let reportedAt = -Infinity
  let refused = 0
  return async (authorization) => {
    try {
      return await authenticate(authorization)
    } catch (error) {
      if (error instanceof Failure && error.code === 'PROVIDER_UNAVAILABLE') {
        refused += 1
        if (clock() - reportedAt >= pauseMs) {
          logger.error({ err: error, refused }, 'the identity provider is unavailable')
          reportedAt = clock()
          refused = 0
        }
      }
      throw error
    }
  }
}
