import { setTimeout as sleep } from 'node:timers/promises'
import { type PeopleServer, startPeopleServer } from '../people-server.ts'
import { personName } from '../people.ts'
import { sqliteEngine } from '../sqlite-engine.ts'
import type { Comparison } from './comparison.ts'
import { datasettePeople } from './datasette.ts'
import { type PeopleProgram, pageSize, vitrinePeople } from './people-program.ts'
import { pocketBasePeople } from './pocketbase.ts'

/** Requests one after the other for one value. */
const repeats = 10
/** Milliseconds for which somebody looks at a page before the first search. */
const lookMs = 3000

/** Pages of people's names, and searches for a text that is another one each time, back to back. */
export async function reads(opened: AsyncDisposableStack, size: number): Promise<Comparison[]> {
  const server = await startPeopleServer(opened, sqliteEngine, size)
  const peers = [await pocketBasePeople(opened, size), await datasettePeople(opened, size)]
  return compareReads(server, peers, size)
}

/** Compares a server with programs that hold the same people. */
export async function compareReads(
  { client, untilIndexed }: PeopleServer,
  peers: readonly PeopleProgram[],
  size: number,
): Promise<Comparison[]> {
  const vitrine = vitrinePeople(client)
  const [peer] = peers
  const of = `of ${size.toLocaleString('en')}`
  const nobody = (program: PeopleProgram) => () => program.search('nobody', { isSorted: false })
  // People have looked at a page before they search.
  for (const program of [vitrine, peer!]) await program.page(0)
  await sleep(lookMs)
  const first = await timed(nobody(vitrine))
  const firstBeside = await timed(nobody(peer!))
  await untilIndexed()

  let requests = 0
  const compare = (
    what: string,
    request: (program: PeopleProgram) => Promise<unknown>,
    goal?: number,
  ): Comparison => ({
    what: `${what} ${of}`,
    unit: 'ms',
    vitrine: () => meanMs(() => request(vitrine)),
    peers: peers.map((program) => ({
      name: program.name,
      measure: () => meanMs(() => request(program)),
      ...(goal !== undefined && { goal }),
    })),
  })
  const search = (
    what: string,
    goal: number,
    part: (name: string) => string,
    options = { isSorted: false },
  ) => {
    const request = (program: PeopleProgram) => {
      requests += 1
      return program.search(part(personName((requests * 104_729) % size)), options)
    }
    return compare(`a new text each time, ${what}: first page`, request, goal)
  }
  return [
    {
      what: `the first search ${of}, no index yet: first page`,
      unit: 'ms',
      rounds: 1,
      vitrine: async () => first,
      peers: [{ name: peer!.name, measure: async () => firstBeside }],
    },
    search('nowhere', 10, (name) => `${name}q`),
    search('a name', 10, (name) => name),
    search('three letters', 1, (name) => name.slice(1, 4)),
    search('three letters, sorted by name', 1, (name) => name.slice(1, 4), { isSorted: true }),
    // Here and there: Vitrine keeps the replies to what was asked before.
    compare('a page anywhere', (program) => {
      requests += 1
      return program.page((requests * 7_919) % Math.floor(size / pageSize))
    }),
    compare('count', (program) => program.count()),
  ]
}

async function timed(request: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await request()
  return performance.now() - began
}

async function meanMs(request: () => Promise<unknown>): Promise<number> {
  return (
    (await timed(async () => {
      for (let repeat = 0; repeat < repeats; repeat += 1) await request()
    })) / repeats
  )
}
