// @module-tag whole

import { globSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hash } from 'node:crypto'
import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'
import { type Outcome, spawnVitrine } from './spawn-vitrine.ts'

let here: Installation
let env: Record<string, string>

beforeAll(async () => {
  here = await openInstallation()
  // On SQLite and files, whatever else the tests run on.
  env = { VITRINE_DATA_DIR: join(here.folder, 'data') }
  await here.login()
  const fields = ['{ name: title, type: string }', '{ name: file, type: binary, mime: text/plain }']
  const schema = fields.map((field) => `  - ${field}\n`).join('')
  await here.run(['create', '-f', here.write('files.yaml', `name: files\nschema:\n${schema}`)])
})
afterAll(() => here.close())

const file = (name: string) => join(here.folder, name)
const run = (...words: string[]): Promise<Outcome> => here.run(words, { env })
const add = (text: string) =>
  addItem(here.client(), 'files', { title: text, file: new Blob([text], { type: 'text/plain' }) })

function blobIn(folder: string, text: string): string {
  const digest = hash('sha256', text)
  return join(file(folder), 'blobs', digest.slice(0, 2), digest.slice(2))
}

test('a backup made during inserts by 64 clients restores every item acknowledged before it began', async () => {
  const before = await Promise.all(Array.from({ length: 64 }, (_, index) => add(`first ${index}`)))
  await here.client().datasetSummary({ datasetId: 'files' })
  let number = 0
  const clients = new AbortController()
  const insertOn = async () => {
    while (!clients.signal.aborted) await add(`meanwhile ${(number += 1)}`)
  }
  const inserting = Array.from({ length: 64 }, insertOn)
  // As a process of its own: it waits for the database as the server does.
  const made = await spawnVitrine(['backup', file('backup')], env).ended
  clients.abort()
  await Promise.all(inserting)
  expect(made).toMatchObject({ code: 0 })
  expect(made.stdout).toContain(`Backed up to ${file('backup')}: 1 dataset, `)

  const checked = await run('restore', file('backup'), '--check')
  expect(checked).toMatchObject({ code: 0, stderr: '' })
  const restored = await run('restore', file('backup'), '--to', file('restored'))
  expect(restored.stdout).toContain('every digest was right.')
  expect(restored.code).toBe(0)
  expect(restored.stderr).toContain('`vitrine log renew`')
  const verified = await run('verify', '--data', file('restored'))
  expect(verified).toMatchObject({ code: 0, stderr: '' })
  expect(verified.stdout).toContain(`Verified ${file('restored')}: every item and every byte`)
  const database = new DatabaseSync(join(file('restored'), 'vitrine.db'), { readOnly: true })
  const ids = new Set(
    database
      .prepare('select id from items_1')
      .all()
      .map(({ id }) => id),
  )
  database.close()
  expect(before.filter((id) => !ids.has(id))).toEqual([])
})

test('verify --derived reports a summary that does not match its items, and passes afterwards', async () => {
  const database = new DatabaseSync(join(file('restored'), 'vitrine.db'))
  database.exec(`update summaries set summary = '[]'`)
  database.close()
  const found = await run('verify', '--data', file('restored'), '--derived')
  expect(found.stdout).toContain('files: its summary is not of its items\n')
  expect(found.stdout).toContain('What was wrongly derived of items is made again when it is read.')
  expect(found).toMatchObject({ code: 8, stderr: 'Damaged: 1 place.\n' })
  const again = await run('verify', '--data', file('restored'), '--derived')
  expect(again).toMatchObject({ code: 0, stderr: '' })
})

test('a folder of data is verified, with a server at work or none', async () => {
  await add('lost')
  await add('sound')
  const running = await run('verify', '--data', file('data'))
  expect(running).toMatchObject({ code: 0, stderr: '' })
  expect(running.stdout).toContain(
    'What is derived of items was not compared: a server works on it',
  )

  rmSync(blobIn('data', 'lost'))
  const found = await run('verify', '--data', file('data'))
  expect(found.stdout).toContain(`${hash('sha256', 'lost')}: its bytes are missing`)
  expect(found).toMatchObject({ code: 8, stderr: 'Damaged: 1 place.\n' })

  const backup = await run('backup', file('damaged'))
  expect(backup.stderr).toContain('The installation has lost 1 file; everything else is in')
  expect(backup.code).toBe(8)
  const none = await run('verify', '--data', file('nothing'))
  expect(none).toMatchObject({ code: 1, stdout: '' })
  expect(none.stderr).toContain(`There is no database ${join(file('nothing'), 'vitrine.db')}.`)
})

test('a damaged backup is told', async () => {
  writeFileSync(blobIn('backup', 'first 3'), 'First 3')
  const checked = await run('restore', file('backup'), '--check')
  expect(checked.code).toBe(8)
  expect(checked.stdout).toContain(': its bytes are not those of its digest')

  const [database = ''] = globSync(join(file('backup'), 'at-*', 'database.sqlite'))
  writeFileSync(database, 'damaged')
  const restored = await run('restore', file('backup'), '--to', file('from-damaged'))
  expect(restored).toMatchObject({ code: 1, stdout: '' })
  expect(restored.stderr).toContain('is missing or damaged: this backup cannot be restored.')
})

test.for([
  [['restore', 'nothing'], 1, 'nothing is no backup'],
  [['restore', 'nothing', '--check', '--to', 'x'], 2, '--check restores nothing'],
  [['verify', 'files', '--data', 'x'], 2, 'name nothing beside it'],
  [['verify', 'files', '--derived'], 2, 'name it by --data'],
  [['backup', '.'], 1, 'is not empty, and no backup'],
] as [string[], number, string][])('%j ends with %i', async ([words, code, sentence]) => {
  const ended = await run(...words)
  expect(ended.stderr).toContain(sentence)
  expect(ended).toMatchObject({ code, stdout: '' })
})
