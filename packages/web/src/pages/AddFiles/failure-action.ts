import { ApiError } from '@vitrine/client'

/** `later`: try again once the server can be reached. `stop`: every other file would fail as well. */
export type FailureAction = { is: 'refused'; reason: string } | { is: 'later' } | { is: 'stop' }

const stopStatuses = [401, 403, 404, 507]
const laterStatuses = [429, 502, 503, 504]

/** Decides what to do with a file whose item could not be added. */
export function failureAction(error: Error): FailureAction {
  if (!(error instanceof ApiError)) return { is: 'refused', reason: error.message }
  const isUnanswered = error.lost || laterStatuses.includes(error.status)
  if (isUnanswered) return { is: 'later' }
  if (stopStatuses.includes(error.status) && error.code !== 'INSERT_EXPIRED') return { is: 'stop' }
  return { is: 'refused', reason: [error.message, ...error.problems].join('. ') }
}
