import type { FastifyRequest } from 'fastify'

/**
 * Headers of bytes that never change under their tag. The name of a deleted dataset may be given to another,
 * so what is kept is asked about each time.
 */
export function keptAs(etag: string): { etag: string; 'cache-control': string } {
  return { etag, 'cache-control': 'private, no-cache' }
}

/** Whether the client has what it asks for (RFC 9110 §13.1.2): a weak comparison with any of the list. */
export function isKept({ headers }: FastifyRequest, etag: string): boolean {
  const header = headers['if-none-match']
  if (header === undefined) return false
  return (
    header.trim() === '*' ||
    header.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
  )
}
