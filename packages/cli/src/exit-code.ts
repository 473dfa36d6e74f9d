import type { ApiError } from '@vitrine/client'

/** Exit codes of commands, for scripts. `--help` shows them. */
export const exitCodes = {
  0: 'done, or there was nothing to do',
  1: 'could not be done, for another reason than those below',
  2: 'the command was not understood',
  3: 'not signed in, or the token is not accepted',
  4: 'there is no such dataset, item or field',
  5: 'in conflict with what is there: a name is taken, a dataset is referred to',
  6: 'what was given is not valid; nothing was changed',
  7: 'the server cannot be reached, or failed: the same again may succeed later',
  8: 'verify found damage',
  9: 'doctor found something wrong',
  130: 'interrupted',
} as const

export type ExitCode = keyof typeof exitCodes

const byStatus: Record<number, ExitCode> = {
  400: 6,
  401: 3,
  403: 3,
  404: 4,
  409: 5,
  413: 6,
  415: 6,
  422: 6,
}

/** The exit code for a call that did not succeed. */
export function exitCodeOf({ status, lost }: ApiError): ExitCode {
  if (lost || status === 408 || status >= 500) return 7
  return byStatus[status] ?? 1
}
