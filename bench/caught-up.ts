import { setTimeout as sleep } from 'node:timers/promises'
import { progressHeader } from '@vitrine/contract'
import type { SignedInServer } from './signed-in-server.ts'

/**
 * Waits until a view has looked at all of its repository, and all that it has is in its order; returns how many items
 * that is.
 */
export async function caughtUp(signedIn: SignedInServer, view: string): Promise<number> {
  const { totalItems } = (await whole(signedIn, `${view}/count`)) as { totalItems: number }
  // Of an order alone the count is there before anything is in order.
  await whole(signedIn, `${view}/item`)
  return totalItems
}

async function whole({ server, token }: SignedInServer, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` }
  for (;;) {
    const reply = await fetch(`${server.url}/api/dataset/${path}?partial=true`, { headers })
    if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`)
    const body = await reply.json()
    if (reply.headers.get(progressHeader) === null) return body
    await sleep(5)
  }
}
