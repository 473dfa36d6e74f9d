import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Snapshot } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  const file = here.write('words.yaml', 'name: words\nschema:\n  - { name: word, type: string }\n')
  await here.run(['create', '-f', file])
  await here.run(['import', 'words', here.write('words.csv', 'word\none\ntwo\nthree\n')])
})
afterAll(() => here.close())

test('a snapshot is shown, and downloaded as what it is', async () => {
  const [now] = await here.json<Snapshot>(['snapshot', 'words'])
  expect(now).toMatchObject({ at: 3, rows: 3, parts: [{ rows: 3 }] })
  const { url, sha256, bytes } = now!.parts[0]!
  expect(url).toBe(`${here.url}/api/dataset/words@3/snapshot.parquet`)
  const { stdout } = await here.run(['snapshot', 'words@3'])
  expect(stdout).toBe(
    `words@3: 3 rows, ${bytes.toLocaleString('en')} bytes.\n${url}\tsha256 ${sha256}\n`,
  )

  const file = join(here.folder, 'words.parquet')
  const written = await here.run(['snapshot', 'words@3', '-o', file])
  expect(written).toMatchObject({
    code: 0,
    stdout: `words@3: 3 rows, ${bytes.toLocaleString('en')} bytes.\nWrote ${file}.\n`,
  })
  expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(sha256)
  expect(await here.json(['snapshot', 'words@2'])).toMatchObject([{ at: 2, rows: 2 }])
})

test('a snapshot of a later state, to an unwritable path, or of an invalid state is refused', async () => {
  const { code, stderr } = await here.run(['snapshot', 'words@4'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('repository has fewer items')
  const folder = join(here.folder, 'none', 'words.parquet')
  expect((await here.run(['snapshot', 'words@3', '-o', folder])).stderr).toContain(
    'could not be written',
  )
  expect((await here.run(['snapshot', 'words@x'])).code).toBe(2)
})

test('a server that makes none says so', async () => {
  const other = await openInstallation({ VITRINE_MAX_SNAPSHOT_BYTES: '0' })
  await other.login()
  const { code, stderr } = await other.run(['snapshot', 'words'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('makes no snapshots')
  await other.close()
})
