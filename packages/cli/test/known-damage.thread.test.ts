import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { addItem } from '@vitrine/client'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { sha256 } from '../../server/test/photos.ts'
import { startTestServer } from '../../server/test/server.ts'
import { vitrine } from './vitrine.ts'

test('verify lists what the server found by itself, and reads on as before without that', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  for (const name of ['files', 'others']) {
    const schema = [{ name: 'file', type: 'binary', mime: 'text/plain' }]
    await server.client.repoCreate({ body: { name, schema } })
  }
  const add = (repo: string, text: string) =>
    addItem(server.client, repo, { file: new Blob([text], { type: 'text/plain' }) })
  const shared = [await add('files', 'shared'), await add('others', 'shared')]
  await add('files', 'sound')
  await server.blobs.put(sha256('shared'), 'SHARED')
  expect(await server.client.damageList({})).toEqual([])
  await server.scrub(0)

  const [damage, ...more] = await server.client.damageList({})
  expect(more).toEqual([])
  expect(damage).toEqual({
    sha256: sha256('shared'),
    size: 6,
    what: 'its bytes are not those of its digest',
    firstSeenAt: expect.stringMatching(/^\d{4}-.*Z$/),
    lastSeenAt: expect.stringMatching(/^\d{4}-.*Z$/),
    values: [
      { dataset: 'files', item: shared[0], field: 'file' },
      { dataset: 'others', item: shared[1], field: 'file' },
    ],
  })
  expect(await server.client.damageList({ page: 1 })).toEqual([])

  const env = { VITRINE_TOKEN: await server.issuer.token(), XDG_CONFIG_HOME: server.dataDir }
  const verify = (url: string, ...words: string[]) =>
    vitrine(['verify', '--server', url, ...words], { env })
  const known = /^(\w+): item \d+, file: its bytes .* digest, the server has known since \d{4}-/gm
  const namesIn = (text: string) => [...text.matchAll(known)].map(([, name]) => name)
  const all = await verify(server.url)
  expect(namesIn(all.stdout)).toEqual(['files', 'others'])
  expect(all).toMatchObject({ code: 8, stderr: 'Damaged: 2 values.\n' })
  expect(namesIn((await verify(server.url, 'others')).stdout)).toEqual(['others'])

  // A server that announces no such list is not asked for it.
  const asked: string[] = []
  const older = createServer((request, response) => {
    asked.push(request.url!)
    void (async () => {
      const reply = await server.request(request.url!)
      const text = await reply.text()
      const config = JSON.stringify({
        apiBaseUrl: url,
        authority: 'x',
        clientId: 'x',
        features: ['export'],
      })
      response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type')! })
      response.end(request.url === '/config.json' ? config : text)
    })()
  })
  older.listen(0, '127.0.0.1')
  await once(older, 'listening')
  onTestFinished(() => void older.close())
  const url = `http://127.0.0.1:${(older.address() as AddressInfo).port}`
  const plain = await verify(url)
  expect(namesIn(plain.stdout)).toEqual([])
  expect(plain).toMatchObject({ code: 8, stderr: 'Damaged: 2 values.\n' })
  expect(asked).not.toContainEqual(expect.stringContaining('/api/damage'))
})

test('verify lists a value that was altered in the database', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  await server.client.repoCreate({
    body: { name: 'notes', schema: [{ name: 'text', type: 'string' }] },
  })
  const item = await addItem(server.client, 'notes', { text: 'whole' })
  await server.database.use(({ write }) =>
    write((transaction) => sql`update items_1 set f0 = 'other'`.execute(transaction)),
  )
  await server.scrub(0)
  const env = { VITRINE_TOKEN: await server.issuer.token(), XDG_CONFIG_HOME: server.dataDir }
  const verified = await vitrine(['verify', '--server', server.url], { env })
  expect(verified.stdout).toMatch(
    new RegExp(
      `^notes: item ${item}, text: its value in the database is not what was sealed, the server has known since \\d{4}-`,
    ),
  )
  expect(verified).toMatchObject({ code: 8, stderr: 'Damaged: 1 value, 1 item, 1 log.\n' })
})
