import { S3ServiceException } from '@aws-sdk/client-s3'
import { Failure } from '../failure.ts'

/** The status of a store's answer; undefined when there was none. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

/** Returns the store's name of an error, such as `NoSuchBucket`. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error)
}

export const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name)

/** Tells whether the store refused because a condition does not hold. */
export const isConflict = (error: unknown): boolean => [409, 412].includes(statusOf(error) ?? 0)

const fullNames = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage'])

/** Returns the failure of a request that the store refused. */
export function refuse(error: unknown): never {
  if (error instanceof Failure) throw error
  const isFull =
    statusOf(error) === 507 ||
    fullNames.has(nameOf(error)) ||
    ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
  throw new Failure(isFull ? 'STORAGE_FULL' : 'STORAGE_UNAVAILABLE', { cause: error })
}
