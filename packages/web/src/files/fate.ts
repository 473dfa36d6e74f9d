import { ApiError } from '@vitrine/client'

/** `later`: as soon as the server can be reached. `stop`: no other file would fare better. */
export type Fate = { is: 'refused'; reason: string } | { is: 'later' } | { is: 'stop' }

const stopStatuses = [401, 403, 404, 507]
const laterStatuses = [429, 502, 503, 504]

/** What becomes of a file whose item could not be added. */
export function fateOf(error: Error): Fate {
  if (!(error instanceof ApiError)) return { is: 'refused', reason: error.message }
  const unanswered = error.lost || laterStatuses.includes(error.status)
  if (unanswered) return { is: 'later' }
  if (stopStatuses.includes(error.status) && error.code !== 'INSERT_EXPIRED') return { is: 'stop' }
  return { is: 'refused', reason: [error.message, ...error.problems].join('. ') }
}
