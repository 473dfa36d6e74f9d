import { createHash } from 'node:crypto'
import { ApiError, createClient, type Client } from '@vitrine/client'
import type { IntegrityByField } from '@vitrine/contract'
import { expect, test } from 'vitest'
import { eachInstallation } from './bare-installation.ts'
import { startChildServer } from './child-server.ts'
import { findings, findingsAfterCollection } from './findings.ts'
import { times } from './times.ts'
import { until, untilDone } from './until.ts'

/** More of them make a soak: `CRASH_ROUNDS=1000 npm run test:crash`. */
const rounds = times('CRASH_ROUNDS', { first: 1, whole: 2 })
const writers = 200

const installation = eachInstallation()

const datasetId = 'things'
const description = {
  name: datasetId,
  schema: [
    { name: 'title', type: 'string', length: 100 },
    { name: 'after', type: 'reference', target: datasetId, optional: true },
    { name: 'file', type: 'binary', mime: 'text/plain' },
  ],
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Items that clients know of: by id, what they signed off. */
type Known = {
  /** Commits that were acknowledged. */
  acknowledged: Map<number, IntegrityByField>
  /** Commits that were sent, and to which no reply came. */
  unsettled: Map<number, IntegrityByField>
}

/** Adds items one after the other until the server is gone. */
async function addUntilGone(client: Client, writer: number, known: Known): Promise<void> {
  for (let round = 0; ; round += 1) {
    try {
      // So many writers may be more than the machine has time for just now.
      const isPassing = (error: unknown) => error instanceof ApiError && error.status === 503
      await untilDone(() => addItem(client, { writer, round }, known), isPassing)
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) return
      throw error
    }
  }
}

async function addItem(
  client: Client,
  { writer, round }: { writer: number; round: number },
  known: Known,
): Promise<void> {
  const values: Record<string, string> = {
    title: `item ${round} of writer ${writer}`,
    // Some contents are those of other writers, and some of nobody else.
    file: `content ${(writer * 7 + round) % 50 === 0 ? Math.random() : round % 13}`,
  }
  const earlier = [...known.acknowledged.keys()].at(-1)
  if (earlier !== undefined && round % 2 === 1) values['after'] = String(earlier)
  const { id } = await client.insertBegin({ datasetId })
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.append(name, value)
  form.set('file', new Blob([values['file'] ?? ''], { type: 'text/plain' }))
  await client.insertUpload({ datasetId, itemId: id, body: form })
  const integrity = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { sha256: sha256(value) }]),
  )
  known.unsettled.set(id, integrity)
  await client.insertCommit({ datasetId, itemId: id, body: { integrity } })
  known.unsettled.delete(id)
  known.acknowledged.set(id, integrity)
}

async function expectKept(client: Client, { acknowledged }: Known): Promise<void> {
  const { totalItems } = await client.datasetCount({ datasetId })
  const ids = new Set<number>()
  for (let page = 0; page * 1000 < totalItems; page += 1) {
    const items = await client.datasetItemList({ datasetId, page, pageSize: 1000 })
    for (const { id } of items) ids.add(id)
  }
  expect(ids.size).toBe(totalItems)
  expect([...ids].toSorted((a, b) => a - b)).toEqual(
    [...acknowledged.keys()].toSorted((a, b) => a - b),
  )
  for (const [itemId, signed] of acknowledged) {
    const { integrity = {} } = await client.datasetItemGet({ datasetId, itemId })
    const kept = Object.entries(integrity).map(([name, seal]) => [name, { sha256: seal.sha256 }])
    expect(Object.fromEntries(kept)).toEqual(signed)
  }
}

test(
  `acknowledged items survive ${rounds} kills under ${writers} concurrent inserts`,
  { timeout: 60_000 + rounds * 240_000 },
  async () => {
    const { dataDir, blobs: testBlobs, database, issuer, env } = installation()
    const token = await issuer.token()
    const known: Known = { acknowledged: new Map(), unsettled: new Map() }
    for (let round = 0; round < rounds; round += 1) {
      const server = await startChildServer({ dataDir, issuer, env })
      await createClient({ baseUrl: server.url, token: () => token }).repoCreate({
        body: description,
      })
      const client = createClient({ baseUrl: server.url, token: () => token, retries: 0 })
      const writing = Array.from({ length: writers }, (_, writer) =>
        addUntilGone(client, writer, known),
      )
      const enough = known.acknowledged.size + Math.random() * 400
      await until(() => known.acknowledged.size >= enough)
      await server.kill()
      await Promise.all(writing)
      const found = await findings({ database, blobs: await testBlobs.open() })
      expect(found.filter(({ kind }) => kind === 'damage')).toEqual([])

      const again = await startChildServer({ dataDir, issuer, env })
      const after = createClient({ baseUrl: again.url, token: () => token })
      for (const [itemId, integrity] of known.unsettled) {
        const committed = await after.insertCommit({ datasetId, itemId, body: { integrity } })
        expect(committed).toEqual({ id: itemId })
        known.acknowledged.set(itemId, integrity)
      }
      known.unsettled.clear()
      await expectKept(after, known)
      await again.kill()
    }
    const blobs = await testBlobs.open()
    await blobs.removeUnpublished({ olderThanMs: 0 })
    expect(await findingsAfterCollection({ database, blobs })).toEqual([])
    expect(await testBlobs.unpublished()).toEqual([])
  },
)
