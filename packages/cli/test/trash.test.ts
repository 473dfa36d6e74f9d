import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sha256 } from '../../server/test/photos.ts'
import { startTestServer, type TestServer } from '../../server/test/server.ts'
import { createTestBlobs } from '../../server/test/test-blobs.ts'
import { vitrine } from './vitrine.ts'

let server: TestServer
let folder: string

beforeEach(async () => {
  server = await startTestServer()
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
})

afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const env = () => ({
  VITRINE_DATA_DIR: server.dataDir,
  ...server.blobs.env,
  ...server.database.env,
})

const run = (...words: string[]) => vitrine(words, { env: env() })

test('the trash is listed, restored and emptied beside a running server', async () => {
  await server.blobs.put(sha256('gone'), 'gone')
  await server.upkeep()
  const listed = await run('trash', 'list', '--json')
  expect(JSON.parse(listed.stdout)).toMatchObject({ sha256: sha256('gone'), size: 4 })

  // Nobody needs it.
  expect((await run('trash', 'restore')).stdout).toBe('Restored 0 files.\n')
  expect((await run('trash', 'restore', sha256('gone'))).stdout).toBe('Restored 1 file.\n')
  expect(await server.blobs.list()).toEqual([sha256('gone')])
  expect((await run('trash', 'list')).stdout).toBe('The trash is empty.\n')

  await server.upkeep()
  expect((await run('trash', 'empty', '--older-than', '7')).stdout).toContain('nothing to remove')
  expect((await run('trash', 'empty')).stdout).toMatch(/^Removed what was of \d{4}-\d\d-\d\d\.\n$/)
  expect((await run('trash', 'restore', 'abc')).code).toBe(2)
})

test('a collection that stopped goes on once a person lets it', async () => {
  const texts = Array.from({ length: 101 }, (_, number) => `file ${number}`)
  await Promise.all(texts.map((text) => server.blobs.put(sha256(text), text)))
  await server.upkeep()
  expect(await server.blobs.list()).toHaveLength(101)
  expect((await run('trash', 'collect')).stdout).toBe(
    '101 files that the database does not know may go to the trash.\n',
  )
  await server.upkeep()
  expect(await server.blobs.list()).toEqual([])
})

test('blobs are adopted knowingly', async () => {
  const elsewhere = createTestBlobs(folder)
  await elsewhere.put(sha256('found'), 'found')
  const blobUrl = elsewhere.env['VITRINE_BLOB_URL'] ?? `file:${join(folder, 'blobs')}`
  const moved = { ...env(), VITRINE_BLOB_URL: blobUrl }
  const refused = await vitrine(['trash', 'list'], { env: moved })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/knows 0 of 1 files in .* run: vitrine blobs adopt\n$/)
  const adopted = await vitrine(['blobs', 'adopt'], { env: moved })
  expect(adopted.stdout).toMatch(/belong to installation \S+ from now on; they belonged to no/)
  expect((await vitrine(['trash', 'list'], { env: moved })).code).toBe(0)
})
