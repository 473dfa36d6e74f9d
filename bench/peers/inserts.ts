import { createClient } from '@vitrine/client'
import { expectJson, requestBytes, type Connection } from '../connection.ts'
import { countPerSecond, insertsPerSecond, type Way } from '../inserts.ts'
import { startSignedInServer } from '../signed-in-server.ts'
import type { Comparison } from './comparison.ts'
import { newPocketBase, type RunningPocketBase } from './pocketbase.ts'

const names = ['title', 'note']
/** Rounds of two seconds each until the server is compiled. */
export const warmUps = 5
export const ways: Record<string, { way: Way; goals: Record<number, number> }> = {
  'three steps': { way: 'in three steps', goals: { 1: 1, 64: 2 } },
  'one request': { way: 'in one request', goals: { 1: 2, 64: 4 } },
}

/**
 * Items of two texts added one after the other by each client. PocketBase checks no digest, keeps none, and syncs
 * as Vitrine does only with `synchronous=FULL`.
 */
export async function inserts(opened: AsyncDisposableStack): Promise<Comparison[]> {
  const { server, token } = opened.use(await startSignedInServer({}))
  const client = createClient({ baseUrl: server.url, token: () => token })
  const schema = [
    { name: 'title', type: 'string', length: 120 },
    { name: 'note', type: 'string', length: 400 },
  ]
  await client.repoCreate({ body: { name: 'notes', schema } })
  const full = await startEmpty(opened, { synchronous: 'FULL' })
  const usual = await startEmpty(opened)
  return Object.entries(ways).flatMap(([name, { way, goals }]) =>
    [1, 64].map((clients): Comparison => {
      const peer = (started: RunningPocketBase) => () =>
        countPerSecond(insertInto(started), { ports: [started.port], clients })
      return {
        what: `insert, ${name}, ${clients === 1 ? '1 client' : `${clients} clients`}`,
        unit: '/s',
        rounds: 5,
        warmUps,
        vitrine: () =>
          insertsPerSecond(token, { ports: [server.port], repo: 'notes', names, clients, way }),
        peers: [
          { name: 'PocketBase, synchronous=FULL', measure: peer(full), goal: goals[clients]! },
          { name: 'PocketBase', measure: peer(usual) },
        ],
      }
    }),
  )
}

async function startEmpty(
  opened: AsyncDisposableStack,
  options: { synchronous?: 'FULL' } = {},
): Promise<RunningPocketBase> {
  const started = opened.use(await newPocketBase(opened, options).start())
  const fields = [
    { name: 'title', type: 'text', required: true, max: 120 },
    { name: 'note', type: 'text', required: true, max: 400 },
  ]
  await started.call('collections', { name: 'notes', type: 'base', fields })
  return started
}

let added = 0

const insertInto =
  ({ token }: RunningPocketBase) =>
  async (connection: Connection): Promise<number> => {
    added += 1
    const values = names.map((name) => [
      name,
      `The ${name} of item ${added}, as long as such a text often is`,
    ])
    const request = requestBytes(
      'POST',
      '/api/collections/notes/records',
      { authorization: token, 'content-type': 'application/json' },
      Buffer.from(JSON.stringify(Object.fromEntries(values))),
    )
    expectJson(await connection.send(request), 200)
    return 1
  }
