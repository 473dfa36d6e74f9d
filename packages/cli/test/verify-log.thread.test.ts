// @module-tag whole

import { createHash, hash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { checkCheckpoint } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
}, 120_000)
afterAll(() => here.close())

/** Numbers the repositories in the order in which they are made, as the database does. */
let repos = 0

/** Makes a repository with so many items; returns its table. */
async function fill(name: string, count: number): Promise<string> {
  const schema = '  - { name: word, type: string, length: 20 }\n'
  await here.run(['create', '-f', here.write(`${name}.yaml`, `name: ${name}\nschema:\n${schema}`)])
  await add(name, 0, count)
  repos += 1
  return `items_${repos}`
}

async function add(name: string, from: number, to: number): Promise<void> {
  const words = Array.from({ length: to - from }, (_, at) => `{"word":"w${from + at}"}\n`)
  const file = here.write(`${name}-${from}.ndjson`, words.join(''))
  expect(await here.run(['import', name, file])).toMatchObject({ code: 0 })
}

/** Changes the database behind the server's back. */
function alter(statement: string): void {
  const database = new DatabaseSync(join(here.folder, 'data', 'vitrine.db'), { timeout: 10_000 })
  expect(Number(database.prepare(statement).run().changes)).toBeGreaterThan(0)
  database.close()
}

/** Takes away what the server has signed of logs, as whoever can alter its database may do too. */
function forgetSigned(): void {
  const place = join(here.folder, 'data', 'blobs', 'checkpoints')
  for (const log of readdirSync(place)) rmSync(join(place, log), { recursive: true })
}

/** The signed checkpoint that was verified last. */
function known(name: string): string | undefined {
  const logs = JSON.parse(readFileSync(join(here.config, 'vitrine', 'logs.json'), 'utf8')) as object
  const ofName = Object.entries(logs).find(([key]) => key.endsWith(`/${name}`))
  return (ofName?.[1] as { note?: string } | undefined)?.note
}

const unsigned = 'log: the server does not sign it, as it is not what was signed before\n'
const verify = (name: string) => here.run(['verify', name])
const digestOf = (bytes: Uint8Array) => new Uint8Array(hash('sha256', bytes, 'buffer'))
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
/** The columns of an item that holds another word, with the digest of that word. */
const another = `f0 = 'other', digests = x'${digest('other')}'`

test('a repository is compared with its log, which goes on from what was verified before', async () => {
  await fill('sound', 300)
  expect(await verify('sound')).toMatchObject({ code: 0, stderr: '' })
  await add('sound', 300, 700)
  const verified = await verify('sound')
  expect(verified).toMatchObject({ code: 0, stderr: '' })
  expect(verified.stdout).toContain('700 items, 700 values,')
  expect(verified.stdout).toContain(', a log of 700.')
  const [known] = Object.values(
    JSON.parse(readFileSync(join(here.config, 'vitrine', 'logs.json'), 'utf8')) as object,
  ) as { size: number }[]
  expect(known!.size).toBe(700)
})

test('a value that was rewritten with its digest is named', async () => {
  const table = await fill('rewritten', 300)
  alter(`update ${table} set ${another} where id = 7`)
  const found = await verify('rewritten')
  expect(found).toMatchObject({ code: 8, stderr: 'Damaged: 1 item, 1 log.\n' })
  expect(found.stdout).toContain(
    'rewritten: item 7: is not what its entry in the log was made of\n',
  )
})

test('an item that was removed is named, wherever it stood', async () => {
  const table = await fill('removed', 300)
  // Its tile is complete, so that its hash is there without it.
  await verify('removed')
  alter(`delete from ${table} where id = 8`)
  const found = await verify('removed')
  expect(found.code).toBe(8)
  expect(found.stdout).toContain('removed: log: entry 7 has no item\n')

  alter(`delete from ${table} where id = 299`)
  const beyond = await verify('removed')
  expect(beyond.code).toBe(8)
  expect(beyond.stdout).toContain('removed: log: items are missing that it has\n')
})

test('a history that was rewritten is told from one that goes on', async () => {
  // Fewer than a tile: all that follows from an entry is made when it is asked for.
  const table = await fill('history', 200)
  await verify('history')
  alter(`update ${table} set ${another}, leaf = null where id = 9`)
  await add('history', 200, 210)
  expect((await verify('history')).stdout).toContain(`history: ${unsigned}`)
  forgetSigned()
  const signedBefore = known('history')!
  const found = await verify('history')
  expect(found.code).toBe(8)
  expect(found.stdout).toContain(
    'history: log: The log is not a continuation of the state with 200',
  )
  const indented = (note: string) => note.trimEnd().replaceAll(/^/gm, '    ')
  const now = await (await here.client().logCheckpoint({ datasetId: 'history' })).text()
  expect(found.stdout).toContain(
    `\n  verified before:\n${indented(signedBefore)}\n  shown now:\n${indented(now)}\n`,
  )
})

test('a log that has become shorter, and one of another key, are told', async () => {
  const table = await fill('shorter', 20)
  await verify('shorter')
  alter(`delete from ${table} where position >= 18`)
  alter(`update datasets set next_position = 18 where name = 'shorter'`)
  expect((await verify('shorter')).stdout).toContain(`shorter: ${unsigned}`)
  forgetSigned()
  const found = await verify('shorter')
  expect(found.code).toBe(8)
  expect(found.stdout).toContain('shorter: log: The log is shorter than the state with 20 items')

  const file = join(here.config, 'vitrine', 'logs.json')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"key": "[^+]*\+/g, '"key": "other+'))
  const other = await verify('sound')
  expect(other.code).toBe(8)
  expect(other.stdout).toContain('sound: log: The log has another key than the state with 700')
})

test('verify reports an item whose creation time or author was rewritten', async () => {
  const table = await fill('moments', 20)
  expect(await verify('moments')).toMatchObject({ code: 0 })
  alter(`update ${table} set created_at = created_at + 1 where id = 3`)
  alter(`update ${table} set author = null where id = 4`)
  const found = await verify('moments')
  expect(found.code).toBe(8)
  for (const item of [3, 4]) {
    expect(found.stdout).toContain(
      `moments: item ${item}: is not what its entry in the log was made of\n`,
    )
  }
})

test('items of a view are compared with the log of the repository that has them', async () => {
  const table = await fill('viewed', 300)
  const view = 'name: few\nbase: viewed\nwhere: { word: { starts_with: w1 } }\n'
  expect(await here.run(['create', '-f', here.write('few.yaml', view)])).toMatchObject({ code: 0 })
  const fields = 'fields:\n  - { name: shown, from: word }\n'
  await here.run([
    'create',
    '-f',
    here.write('renamed.yaml', `name: renamed\nbase: few\n${fields}`),
  ])
  expect((await verify('renamed')).stdout).toContain('111 items, 111 values,')
  alter(`update ${table} set ${another} where id = 12`)
  const found = await verify('renamed')
  expect(found.code).toBe(8)
  expect(found.stdout).toContain('renamed: item 12: is not in the log\n')
})

test('a checkpoint of another repository is none of this one', async () => {
  await fill('one', 3)
  await fill('two', 3)
  const other = await (await here.client().logCheckpoint({ datasetId: 'two' })).text()
  const note = { note: other, known: undefined, hash: digestOf }
  const { checks, known } = await checkCheckpoint(here.client(), 'one', note)
  expect(checks[0]).toMatchObject({ name: 'signature', passed: false })
  expect(checks[0]!.text).toContain('is that of another log')
  expect(known).toBeUndefined()
})
