import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../src/store/store.ts'

const mebi = 1024 ** 2

test('the write-ahead log begins anew while writing goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-checkpoints-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'vitrine.db')
  const store = await openStore({ database: { engine: 'sqlite', file } })
  onTestFinished(() => store.close())
  await store.write((transaction) => sql`create table bulk (bytes blob)`.execute(transaction))
  let longestLog = 0
  for (let round = 0; round < 60; round += 1) {
    await store.write((transaction) =>
      sql`insert into bulk values (zeroblob(${mebi}))`.execute(transaction),
    )
    longestLog = Math.max(longestLog, statSync(`${file}-wal`).size)
  }
  expect(statSync(file).size).toBeGreaterThan(50 * mebi)
  // A thousand pages of 4 KiB, and what the last write added to them.
  expect(longestLog).toBeLessThan(8 * mebi)
})
