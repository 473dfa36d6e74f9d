import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../server/test/server.ts'
import { addItem } from '@vitrine/client'
import { type RunOptions, vitrine } from './vitrine.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer({}, { restarts: true })
  for (const name of ['words', 'others']) {
    const schema = [{ name: 'word', type: 'string', length: 20 }]
    await server.client.repoCreate({ body: { name, schema } })
    await addItem(server.client, name, { word: 'one' })
    await server.client.logCheckpoint({ datasetId: name })
  }
})

afterEach(() => server.close())

const renew = (words: string[] = [], options: RunOptions = {}) =>
  vitrine(['log', 'renew', ...words], {
    ...options,
    env: { VITRINE_DATA_DIR: server.dataDir, ...server.blobs.env, ...server.database.env },
  })

async function originOf(datasetId: string): Promise<string> {
  const note = await (await server.client.logCheckpoint({ datasetId })).text()
  return note.split('\n')[0]!
}

test('logs begin anew once somebody agrees, and only those that have to', async () => {
  const running = await renew(['--yes'])
  expect(running).toMatchObject({ code: 1, stdout: '' })
  expect(running.stderr).toContain('A server works on the data folder')
  const before = await originOf('words')
  await server.restart({}, async () => {
    expect(await renew(['--yes'])).toMatchObject({
      code: 0,
      stdout: 'Every log goes on from what was signed of it.\n',
    })
    const place = join(server.dataDir, 'blobs', 'checkpoints')
    renameSync(place, join(server.dataDir, 'aside'))
    expect((await renew()).code).toBe(2)
    const refused = await renew([], { isTTY: true, stdin: 'n\n' })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('Nothing was changed.')
    const agreed = await renew([], { isTTY: true, stdin: 'y\n' })
    expect(agreed).toMatchObject({ code: 0, stdout: 'Began anew: 3 logs.\n' })
    expect(agreed.stderr).toContain(
      'what was signed last of each log is not beside the blobs.\nLet 3 logs',
    )
  })
  expect(await originOf('words')).not.toBe(before)
})
