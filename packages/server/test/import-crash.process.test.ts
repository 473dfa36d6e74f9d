import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, openReply, type Client } from '@vitrine/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { spawnVitrine } from '../../cli/test/spawn-vitrine.ts'
import { startChildServer } from './child-server.ts'
import { findings } from './findings.ts'
import { startIssuer, type Issuer } from './issuer.ts'
import { createTestBlobs, type TestBlobs } from './test-blobs.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { times } from './times.ts'

/** More of them make a soak: `CRASH_ROUNDS=100 npm run test:crash`. */
const rounds = times('CRASH_ROUNDS', { first: 3, again: 1 })
const rowCount = 30_000

let dataDir: string
let testBlobs: TestBlobs
let database: TestDatabase
let env: Record<string, string>
let issuer: Issuer

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-import-'))
  testBlobs = createTestBlobs(dataDir)
  database = await createTestDatabase(dataDir)
  env = { ...database.env, ...testBlobs.env }
  issuer = await startIssuer()
})

afterEach(async () => {
  await issuer.close()
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

const datasetId = 'things'
const description = {
  name: datasetId,
  schema: [
    { name: 'title', type: 'string', length: 100 },
    { name: 'number', type: 'string', length: 20 },
  ],
}

const numbersOf = (round: number) => Array.from({ length: rowCount }, (_, row) => `${round}/${row}`)

function writeFileOf(round: number): string {
  const rows = numbersOf(round).map((number) => ({ title: `row ${number}`, number }))
  const file = join(dataDir, 'rows.ndjson')
  writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'))
  return file
}

async function readNumbers(client: Client, from = 0): Promise<string[]> {
  const exported = await openReply(client, 'datasetExport', { datasetId, format: 'ndjson', from })
  const lines = (await exported.text()).trimEnd().split('\n')
  return lines.map((line) => (JSON.parse(line) as { number: string }).number)
}

/** Who is killed, in turn. A client whose server comes back goes on by itself. */
const victims = [['server'], ['client'], ['server', 'client']]

test(
  `an import survives ${rounds} kills of server and client: all or nothing, and no row twice`,
  { timeout: 60_000 + rounds * 240_000 },
  async () => {
    const token = await issuer.token()
    let server = await startChildServer({ dataDir, issuer, env })
    const { url } = server
    const restart = () =>
      startChildServer({ dataDir, issuer, env: { ...env, VITRINE_PORT: new URL(url).port } })
    const client = createClient({ baseUrl: url, token: () => token })
    await client.repoCreate({ body: description })
    const count = async () => (await client.datasetCount({ datasetId })).totalItems
    const start = (round: number) =>
      spawnVitrine(['import', datasetId, writeFileOf(round), '--key', `round-${round}`], {
        VITRINE_SERVER: url,
        VITRINE_TOKEN: token,
      })
    const stageOf = (round: number) =>
      client.importGet({ datasetId, importKey: `round-${round}` }).then(
        ({ state }) => state,
        () => 'not begun',
      )

    /** Most of the time of a command that imports little goes by before it begins. */
    const untilBegun = async (round: number, { child }: ReturnType<typeof start>) => {
      while (child.exitCode === null && (await stageOf(round)) === 'not begun') await sleep(5)
    }

    const undisturbed = start(0)
    await untilBegun(0, undisturbed)
    const began = performance.now()
    expect(await undisturbed.ended).toMatchObject({ code: 0 })
    const importMs = performance.now() - began
    const stages: Record<string, number> = {}
    for (let round = 1; round <= rounds; round += 1) {
      const killed = victims[round % victims.length]!
      let importing = start(round)
      if (round % 10 !== 0) await untilBegun(round, importing)
      await sleep(Math.random() * importMs)
      const stage = await stageOf(round)
      stages[stage] = (stages[stage] ?? 0) + 1
      if (killed.includes('client')) importing.child.kill('SIGKILL')
      if (killed.includes('server')) {
        await server.kill()
        server = await restart()
      }
      expect([round * rowCount, (round + 1) * rowCount]).toContain(await count())

      let outcome = await importing.ended
      // Killed, or without a server when it began.
      while (outcome.code === null || outcome.code === 7) {
        importing = start(round)
        outcome = await importing.ended
      }
      expect(outcome.code, outcome.stderr).toBe(0)
      expect(await count()).toBe((round + 1) * rowCount)
      expect(await readNumbers(client, round * rowCount)).toEqual(numbersOf(round))
      if (round % 10 === 0) console.info(`${round} kills while it was: ${JSON.stringify(stages)}`)
    }
    const everything = Array.from({ length: rounds + 1 }, (_, round) => numbersOf(round)).flat()
    expect(await readNumbers(client)).toEqual(everything)
    await server.kill()
    const found = await findings({ database, blobs: await testBlobs.open() })
    expect(found.filter(({ kind }) => kind === 'damage')).toEqual([])
  },
)
