import { failAt, type Failure } from '../failure.ts'

/** A file that is not what it is said to be; `row` is counted from 1. */
export function malformed(reason: string, row?: number): Failure {
  return failAt('IMPORT_MALFORMED', [{ path: row === undefined ? [] : [row], reason }])
}
