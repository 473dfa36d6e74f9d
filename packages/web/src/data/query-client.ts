import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '@vitrine/client'
import type { Session } from '../auth/session.ts'

/** Data is fresh for so long: Back and hover show what is there without asking again. */
const staleTimeMs = 15_000

/**
 * A query whose token was refused is tried once more, after the token's renewal; another error is
 * shown at once, with Retry. A mutation is never repeated by itself.
 */
export function createQueryClient(session: Session): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onSuccess: () => session.accepted(),
      onError: (error) => {
        if (isUnauthorized(error)) session.refused()
      },
    }),
    mutationCache: new MutationCache({ onSuccess: () => session.accepted() }),
    defaultOptions: {
      queries: {
        staleTime: staleTimeMs,
        networkMode: 'always',
        // What failed for want of a network is asked for again once it is back.
        refetchOnReconnect: ({ state }) => state.status === 'error',
        retry: (failures, error) => failures < 1 && isUnauthorized(error),
        retryDelay: 0,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

function isUnauthorized(error: Error): boolean {
  return error instanceof ApiError && error.status === 401
}
