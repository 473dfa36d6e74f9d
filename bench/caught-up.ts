import { setTimeout as sleep } from 'node:timers/promises'
import { progressHeader } from '@vitrine/contract'
import type { SignedInServer } from './signed-in-server.ts'

/** Waits until a view has looked at all of its repository; returns how many items it has. */
export async function caughtUp({ server, token }: SignedInServer, view: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  for (;;) {
    const reply = await fetch(`${server.url}/api/dataset/${view}/count?partial=true`, { headers })
    if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`)
    const { totalItems } = (await reply.json()) as { totalItems: number }
    if (reply.headers.get(progressHeader) === null) return totalItems
    await sleep(5)
  }
}
