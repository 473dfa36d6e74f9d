import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../src/store/store.ts'

const mebi = 1024 ** 2

async function openBulk() {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-checkpoints-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'vitrine.db')
  const store = await openStore({ database: { engine: 'sqlite', file } })
  onTestFinished(() => store.close())
  await store.write((transaction) => sql`create table bulk (bytes blob)`.execute(transaction))
  const add = (bytes: number, meanwhile = () => {}) =>
    store.write(async (transaction) => {
      meanwhile()
      await sql`insert into bulk values (zeroblob(${bytes}))`.execute(transaction)
    })
  return { file, log: `${file}-wal`, add }
}

test('the write-ahead log begins anew while writing goes on', async () => {
  const { file, log, add } = await openBulk()
  let longestLog = 0
  for (let round = 0; round < 60; round += 1) {
    await add(mebi)
    longestLog = Math.max(longestLog, statSync(log).size)
  }
  expect(statSync(file).size).toBeGreaterThan(50 * mebi)
  // A thousand pages of 4 KiB, and what the last write added to them.
  expect(longestLog).toBeLessThan(8 * mebi)
})

test('a write after a checkpoint finds the log begun anew', async () => {
  const { log, add } = await openBulk()
  // The salt of a log, another one for each (https://www.sqlite.org/fileformat2.html#walformat).
  const salt = () => readFileSync(log).toString('hex', 16, 24)
  await add(5 * mebi)
  const before = salt()
  let found: string | undefined
  await add(1, () => (found = salt()))
  expect(found).not.toBe(before)
  expect(salt()).toBe(found)
})
