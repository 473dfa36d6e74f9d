// @module-tag whole
// @module-tag imports

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, openReply, type Client } from '@vitrine/client'
import { expect, onTestFinished, test } from 'vitest'
import { spawnVitrine } from '../../cli/test/spawn-vitrine.ts'
import { eachInstallation } from './bare-installation.ts'
import { startChildServer } from './child-server.ts'
import { findings } from './findings.ts'
import { forwardPort } from './forward-port.ts'
import { times } from './times.ts'
import { until } from './until.ts'

/** More of them make a soak: `CRASH_ROUNDS=100 npm run test:crash`. */
const rounds = times('CRASH_ROUNDS', { first: 1, whole: 3 })
const rowCount = 30_000

const installation = eachInstallation()

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
  const file = join(installation().dataDir, 'rows.ndjson')
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
    const { dataDir, blobs: testBlobs, database, issuer, env } = installation()
    const token = await issuer.token()
    const forwarded = await forwardPort()
    onTestFinished(forwarded.close)
    const url = `http://127.0.0.1:${forwarded.port}`
    const startBehind = async () => {
      const started = await startChildServer({ dataDir, issuer, env })
      forwarded.target = Number(new URL(started.url).port)
      return started
    }
    let server = await startBehind()
    const client = createClient({ baseUrl: url, token: () => token })
    await client.repoCreate({ body: description })
    const count = async () => (await client.datasetCount({ datasetId })).totalItems
    const start = (round: number) =>
      spawnVitrine(['import', datasetId, writeFileOf(round), '--key', `round-${round}`], {
        VITRINE_SERVER: url,
        VITRINE_TOKEN: token,
      })
    /** How far an import is: its stage, and the rows that were checked and those that were published. */
    const progressOf = (round: number) =>
      client.importGet({ datasetId, importKey: `round-${round}` }).then(
        ({ state, rows, publishedRows }) => ({ stage: state, steps: 1 + rows + publishedRows }),
        () => ({ stage: 'not begun', steps: 0 }),
      )

    expect(await start(0).ended).toMatchObject({ code: 0 })
    const stages: Record<string, number> = {}
    for (let round = 1; round <= rounds; round += 1) {
      const killed = victims[round % victims.length]!
      let importing = start(round)
      const isAlive = () => importing.child.exitCode === null
      const steps = round % 10 === 0 ? 0 : Math.random() * 2 * rowCount
      await until(async () => (await progressOf(round)).steps >= steps || !isAlive())
      const { stage } = await progressOf(round)
      stages[stage] = (stages[stage] ?? 0) + 1
      if (killed.includes('client')) importing.child.kill('SIGKILL')
      if (killed.includes('server')) {
        await server.kill()
        server = await startBehind()
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
