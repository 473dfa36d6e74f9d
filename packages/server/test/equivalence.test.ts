// @module-tag engines

import { api } from '@vitrine/contract'
import { describe, expect, test } from 'vitest'
import { Choices } from './choices.ts'
import { readComparable, SharedNames, type ComparableReply } from './comparable-reply.ts'
import { chosenEngines, type Engines } from './engines.ts'
import type { ReplayedRequest } from './replayed-request.ts'
import { replayedRequests } from './replayed-requests.ts'
import { startTestServer, type TestServer } from './server.ts'
import { times } from './times.ts'
import { until } from './until.ts'

/** `npm run test:equivalence` replays 5,000; a failure is repeated with `EQUIVALENCE_SEED`. */
const count = times('EQUIVALENCE_REQUESTS', { first: 150, again: 600 })
const seed = Number(process.env['EQUIVALENCE_SEED'] ?? Date.now() % 2 ** 31)

const all: Engines[] = [
  { database: 'sqlite', blobs: 'files' },
  { database: 'postgres', blobs: 'files' },
  { database: 'postgres', blobs: 's3' },
]
const { database, blobs } = chosenEngines

// It needs all engines, so it runs with the last of the environments that there are.
describe.skipIf(database === 'sqlite' || blobs === 'files')('all engines', () => {
  test(
    `give the same replies to ${count} requests (seed ${seed})`,
    { timeout: 60_000 + count * 1000 },
    async () => {
      await using cleaning = new AsyncDisposableStack()
      const env = { VITRINE_PUBLIC_URL: 'http://localhost:8080' }
      const replicas: Replica[] = []
      for (const engines of all) {
        const server = await startTestServer(env, { engines })
        cleaning.defer(server.close)
        const token = await server.issuer.token()
        replicas.push({ server, token, names: new SharedNames() })
      }
      const succeeded = new Map<string, number>()
      const refused = new Map<string, number>()
      const requests = replayedRequests(new Choices(seed))
      let next = requests.next()
      for (let number = 1; number <= count && next.done !== true; number += 1) {
        const request = next.value
        const [first, ...others] = await Promise.all(
          replicas.map((replica) => replay(replica, request)),
        )
        for (const [index, other] of others.entries()) {
          const { database: on, blobs: with_ } = all[index + 1]!
          expect(other, `request ${number} on ${on} and ${with_}: ${tell(request)}`).toEqual(first)
        }
        expect(first!.status, tell(request)).toBeLessThan(500)
        const calls = first!.status < 400 ? succeeded : refused
        calls.set(request.call, (calls.get(request.call) ?? 0) + 1)
        next = requests.next(first!)
      }
      const sum = (calls: Map<string, number>) => [...calls.values()].reduce((a, b) => a + b, 0)
      console.log(`${sum(succeeded)} requests succeeded, ${sum(refused)} were refused`)
      // What never succeeds, or is never refused, shows little.
      if (count >= 2000) {
        for (const calls of [succeeded, refused]) {
          expect([...calls.keys()]).toEqual(expect.arrayContaining(Object.keys(api)))
        }
      }
    },
  )
})

type Replica = { server: TestServer; token: string; names: SharedNames }

async function replay(
  { server, token, names }: Replica,
  { call, method, path, headers = {}, body }: ReplayedRequest,
): Promise<ComparableReply> {
  const ask = () =>
    server.request(names.own(path), {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      token: null,
      ...(body !== undefined && { body }),
    })
  // Lists say at once what is known of views by then, and begin to look at the rest.
  if (call === 'datasetSearch') await until(async () => isComplete(await (await ask()).text()))
  return readComparable(await ask(), names)
}

const isComplete = (list: string) => !list.includes('"exact":false')

function tell({ method, path, body }: ReplayedRequest): string {
  return `${method} ${path} ${body === undefined ? '' : Buffer.from(body as string).toString()}`
}
