import { gzipSync } from 'node:zlib'
import type { Client } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tar } from './sample-archives.ts'
import { startTestServer, type TestServer } from './server.ts'
import { wholeImport } from './whole-import.ts'

type Input = Omit<Parameters<Client['importBegin']>[0], 'datasetId'>

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['towns', 'many']) {
    const schema = [{ name: 'name', type: 'string' }]
    await server.client.repoCreate({ body: { name, schema } })
  }
})
afterAll(() => server.close())

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

async function imported(input: Input): Promise<unknown[]> {
  const { items } = await wholeImport(server.client, { datasetId: 'towns', ...input })
  const all = await server.client.datasetItemList({ datasetId: 'towns', pageSize: 1000 })
  return all.slice(items!.from, items!.to).map(({ data }) => data['name'])
}

test.each<[what: string, input: Input]>([
  [
    'CSV in windows-1252',
    { format: 'csv', encoding: 'windows-1252', body: latin1('name\nKöln\n') },
  ],
  ['by another label', { format: 'tsv', encoding: 'Latin1', body: latin1('name\rKöln') }],
  ['in UTF-16', { format: 'csv', encoding: 'utf-16le', body: utf16('\ufeffname\r\nKöln\r\n') }],
  ['NDJSON', { format: 'ndjson', encoding: 'utf-16', body: utf16('{"name":"Köln"}') }],
  ['JSON', { format: 'json', encoding: 'macintosh', body: latin1('[{"name":"K\x9aln"}]') }],
  ['gzip', { format: 'csv', encoding: 'cp1252', body: gzipSync(latin1('name\nKöln\n')) }],
  [
    'an archive',
    { format: 'tar', encoding: 'cp1252', body: tar([['rows.csv', latin1('name\nKöln\n')]]) },
  ],
  ['UTF-8 that is named', { format: 'csv', encoding: 'UTF-8', body: 'name\nKöln\n' }],
])('%s is read as it is said to be', async (_what, input) => {
  expect(await imported(input)).toEqual(['Köln'])
})

test('the sign of the euro of Windows, and the end of a character in the next part', async () => {
  const text = `name\n${'😀€\n'.repeat(300_000)}`
  const input = { format: 'csv', encoding: 'utf-16le', body: utf16(text) } as const
  const { publishedRows } = await wholeImport(server.client, { datasetId: 'many', ...input })
  expect(publishedRows).toBe(300_000)
  const windows = Uint8Array.of(0x6e, 0x61, 0x6d, 0x65, 0x0a, 0x80, 0x92, 0x0a)
  expect(await imported({ format: 'csv', encoding: 'windows-1252', body: windows })).toEqual(['€’'])
})

test('another encoding than was said refuses the file, with the line', async () => {
  const body = Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x0a, 0x61, 0x0a, 0xff, 0x0a])
  await expect(imported({ format: 'csv', encoding: 'shift_jis', body })).rejects.toMatchObject({
    code: 'IMPORT_MALFORMED',
    problems: ['Line 3 is not valid shift_jis'],
  })
  const marked = utf16('\ufeffname\n')
  await expect(
    imported({ format: 'csv', encoding: 'utf-16be', body: marked }),
  ).rejects.toMatchObject({ problems: [expect.stringContaining('byte order mark of utf-16le')] })
})

test('an unknown encoding is refused before anything is sent', async () => {
  const reply = await server.request('/api/repo/towns/import?format=csv&encoding=ebcdic', {
    method: 'POST',
    body: 'name\n',
  })
  expect(reply.status).toBe(400)
  expect(await reply.text()).toContain('must be an encoding of the Encoding Standard')
})

test('the same key stands for the same encoding', async () => {
  const import1252 = { format: 'csv', encoding: 'cp1252', key: 'koeln' } as const
  expect(await imported({ ...import1252, body: latin1('name\nKöln\n') })).toEqual(['Köln'])
  const again = { ...import1252, encoding: 'windows-1252', body: 'name\n' }
  expect((await wholeImport(server.client, { datasetId: 'towns', ...again })).state).toBe('done')
  await expect(
    imported({ ...import1252, encoding: 'koi8-r', body: 'name\n' }),
  ).rejects.toMatchObject({ code: 'IMPORT_KEY_TAKEN' })
})
