import { Connection, requestBytes } from './connection.ts'
import { requestRate, type Rate } from './request-rate.ts'
import type { ServerProcess } from './server-process.ts'

export const load = { connections: 32, seconds: 2 }
export const rounds = 7
export const size = 3_000_000
export const pageSize = 20
/**
 * Numbers of requests: few, so that the server caches all replies, and many, so that it has dropped each when it is
 * due.
 */
export const counts = { again: 500, anew: 30_000 }

/** Spreads `counts` requests over a repository; `pathAt` takes a share of its items. */
export function readRequests(
  asking: keyof typeof counts,
  pathAt: (share: number) => string,
  headers: Record<string, string> = {},
): Buffer[] {
  const count = counts[asking]
  return Array.from({ length: count }, (_, index) =>
    requestBytes('GET', pathAt(index / count), headers),
  )
}

/** Measures how fast a server answers requests in turn, going on where it was. */
export function rateOf(server: ServerProcess, requests: Buffer[]): () => Promise<Rate> {
  let next = 0
  return () => requestRate(server, () => requests[next++ % requests.length]!, load)
}

/** How long the body of the reply to a request is. */
export async function replyBytes({ port }: ServerProcess, request: Buffer): Promise<number> {
  const connection = await Connection.open(port)
  const { status, body } = await connection.send(request)
  connection.close()
  if (status !== 200) throw new Error(`${status}: ${body.toString()}`)
  return body.length
}
