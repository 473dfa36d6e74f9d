import { setTimeout as sleep } from 'node:timers/promises'
import { type PeopleServer, startPeopleServer } from '../people-server.ts'
import { personName, threeLetters } from '../people.ts'
import { sqliteEngine } from '../sqlite-engine.ts'
import type { Comparison } from './comparison.ts'
import { datasettePeople } from './datasette.ts'
import { type PeopleProgram, pageSize, vitrinePeople } from './people-program.ts'
import { pocketBasePeople } from './pocketbase.ts'

/**
 * Requests one after the other for one value: as many as there is time for, within bounds. There are 500 texts of three
 * letters, enough for the warm-ups and three rounds of which each is done four times.
 */
const requests = { least: 10, most: 30, ms: 1000 }
const warmUps = 3
/** Milliseconds for which each program answers before all of it: what runs for days is compiled. */
const warmUpMs = 5000
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
  const name = (index: number) => personName((index * 104_729) % size)
  for (const program of [vitrine, ...peers]) {
    const began = performance.now()
    for (let index = 0; performance.now() - began < warmUpMs; index += 1) {
      await program.page(index % Math.floor(size / pageSize))
      await program.search(`q${name(index)}`, { isSorted: false })
    }
  }

  const compare = (
    what: string,
    request: (program: PeopleProgram, index: number) => Promise<unknown>,
    goal?: number,
  ): Comparison => {
    const measure = (program: PeopleProgram) => {
      let index = 0
      return () => meanMs(() => request(program, index++))
    }
    return {
      what: `${what} ${of}`,
      unit: 'ms',
      warmUps,
      vitrine: measure(vitrine),
      peers: peers.map((program) => ({
        name: program.name,
        measure: measure(program),
        ...(goal !== undefined && { goal }),
      })),
    }
  }
  const search = (
    what: string,
    goal: number,
    textOf: (index: number) => string,
    options = { isSorted: false },
  ) =>
    compare(
      `a new text each time, ${what}: first page`,
      (program, index) => program.search(textOf(index), options),
      goal,
    )
  return [
    {
      what: `the first search ${of}, no index yet: first page`,
      unit: 'ms',
      rounds: 1,
      vitrine: async () => first,
      peers: [{ name: peer!.name, measure: async () => firstBeside }],
    },
    search('nowhere', 10, (index) => `${name(index)}q`),
    search('a name', 10, name),
    search('three letters', 1, threeLetters),
    search('three letters, sorted by name', 1, threeLetters, { isSorted: true }),
    // Here and there: Vitrine keeps the replies to what was asked before.
    compare('a page anywhere', (program, index) =>
      program.page((index * 7_919) % Math.floor(size / pageSize)),
    ),
    compare('count', (program) => program.count()),
  ]
}

async function timed(request: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await request()
  return performance.now() - began
}

async function meanMs(request: () => Promise<unknown>): Promise<number> {
  const { least, most, ms } = requests
  const began = performance.now()
  for (let made = 1; ; made += 1) {
    await request()
    const took = performance.now() - began
    if (made === most || (made >= least && took >= ms)) return took / made
  }
}
