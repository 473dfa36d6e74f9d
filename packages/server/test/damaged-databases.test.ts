import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'
import { checkData, type Finding } from '../src/upkeep/verify/check-data.ts'
import { checkDerived } from '../src/upkeep/verify/check-derived.ts'
import { startTestServer } from './server.ts'
import { isOnSqlite } from './test-database.ts'
import { times } from './times.ts'

/** A data folder with something in every table, and no page of its database unused. */
let sound: string
let folder: string

/** Pages of the database that are overwritten, one at a time. */
const pageCount = times('DAMAGED_PAGES', { first: 12, again: 12, whole: 1000 })

const databaseIn = (data: string) => join(data, 'vitrine.db')

beforeAll(async () => {
  if (!isOnSqlite) return
  sound = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const server = await startTestServer()
  const schema = [
    { name: 'title', type: 'string' as const, length: 3000 },
    { name: 'file', type: 'binary' as const, mime: 'text/plain' },
  ]
  for (const name of ['first', 'second']) await server.client.repoCreate({ body: { name, schema } })
  await server.client.viewCreate({
    body: { name: 'shown', base: 'first', order: ['title'] },
  })
  for (let number = 0; number < 20; number += 1) {
    const title = `${number} ${'x'.repeat(2000)}`
    const file = new Blob([`file ${number}`], { type: 'text/plain' })
    await addItem(server.client, number % 2 === 0 ? 'first' : 'second', { title, file })
  }
  await server.client.datasetItemList({ datasetId: 'shown' })
  await server.client.datasetSummary({ datasetId: 'first' })
  const { database, dataDir } = server
  if (database.address.engine === 'sqlite') {
    const live = new DatabaseSync(database.address.file)
    live.prepare('vacuum into ?').run(databaseIn(sound))
    live.close()
  }
  cpSync(join(dataDir, 'blobs'), join(sound, 'blobs'), { recursive: true })
  await server.close()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  cpSync(sound, folder, { recursive: true })
  return () => rmSync(folder, { recursive: true })
})
afterAll(() => rmSync(sound, { recursive: true }))

/**
 * Returns the findings of `vitrine verify --data --derived`; a ConfigError, which it prints as a sentence, is a
 * finding, too.
 */
async function verify(): Promise<Pick<Finding, 'kind' | 'where' | 'what'>[]> {
  const config = readConfig({ VITRINE_DATA_DIR: folder })
  const findings: Finding[] = []
  try {
    for await (const finding of checkData(config)) findings.push(finding)
    for await (const finding of checkDerived(config, 'whole')) findings.push(finding)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    findings.push({ kind: 'damage', where: 'database', what: error.message })
  }
  return findings
}

describe.runIf(isOnSqlite)('verify of a data folder', () => {
  test('finds nothing when it is sound', async () => {
    expect(await verify()).toEqual([])
  })

  test('finds damage on any overwritten page of the database, and reports it in one line', async () => {
    const bytes = readFileSync(databaseIn(sound))
    const pageSize = bytes.readUInt16BE(16)
    const pages = bytes.length / pageSize
    expect(pages).toBeGreaterThan(60)
    const silent: number[] = []
    const step = Math.max(1, Math.floor(pages / pageCount))
    for (let page = 0; page < pages; page += step) {
      const damaged = Buffer.from(bytes)
      damaged.fill((page / step) % 2 === 0 ? 0xaa : 0, page * pageSize, (page + 1) * pageSize)
      writeFileSync(databaseIn(folder), damaged)
      const findings = await verify()
      if (findings.length === 0) silent.push(page)
      for (const { what } of findings) expect(what).toMatch(/^[^\n]+$/)
      copyFileSync(databaseIn(sound), databaseIn(folder))
    }
    expect(silent).toEqual([])
  })

  test('finds damage when the database is truncated', async () => {
    const bytes = readFileSync(databaseIn(sound))
    for (const share of [0.1, 0.5, 0.9]) {
      const length = Math.floor(bytes.length * share)
      writeFileSync(databaseIn(folder), bytes.subarray(0, length))
      expect(await verify()).not.toEqual([])
    }
  })

  test.for([
    [`update datasets set schema = '{' where name = 'first'`, 'dataset number'],
    [`update datasets set definition = '' where name = 'shown'`, 'dataset number'],
    ['drop table items_1', 'first'],
    ['drop table audit_log', 'audit log'],
    ['drop table blobs', 'files'],
    ['drop table datasets', 'list of datasets'],
  ])('reports damage by %s, and still checks the rest', async ([sql, where]) => {
    const database = new DatabaseSync(databaseIn(folder))
    database.exec(`pragma foreign_keys = off; ${sql}`)
    // A second damage, which must not be hidden by the first.
    database.exec(`update items_2 set f0 = 'altered' where position = 0`)
    database.close()
    const findings = await verify()
    expect(findings).toContainEqual(
      expect.objectContaining({ where: expect.stringContaining(where!), kind: 'damage' }),
    )
    if (where === 'list of datasets') return
    expect(findings).toContainEqual(
      expect.objectContaining({ what: 'title is not what was sealed' }),
    )
  })

  test('reports a blob folder that is a file', async () => {
    rmSync(join(folder, 'blobs'), { recursive: true })
    writeFileSync(join(folder, 'blobs'), '')
    expect(await verify()).toContainEqual(expect.objectContaining({ where: 'files' }))
  })
})
