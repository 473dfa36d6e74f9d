import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, isOnSqlite } from './test-database.ts'

test.skipIf(!isOnSqlite || process.platform !== 'linux')(
  'a store that nobody has written to or read from lets go of its files',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const database = await createTestDatabase(folder)
    const store = await database.open()
    expect(openFiles(folder)).not.toEqual([])
    await store.close()
    expect(openFiles(folder)).toEqual([])
  },
)

/** Lists the files in a folder that this process has open (proc(5), /proc/pid/fd). */
function openFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .flatMap((descriptor) => {
      try {
        return [readlinkSync(`/proc/self/fd/${descriptor}`)]
      } catch {
        // What listed the folder.
        return []
      }
    })
    .filter((path) => path.startsWith(folder))
}

test('a store is opened while another process removes tables', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const database = await createTestDatabase(folder)
  onTestFinished(database.drop)
  const other = await database.open()
  const opening = new AbortController()
  const removeTables = async () => {
    let removed = 0
    for (; !opening.signal.aborted; removed += 1) {
      const table = sql.table(`table_${removed}`)
      await other.write(async (transaction) => {
        await sql`create table ${table} (id integer)`.execute(transaction)
      })
      await other.write(async (transaction) => {
        await sql`drop table ${table}`.execute(transaction)
      })
    }
    return removed
  }
  const removing = removeTables()
  try {
    for (let opened = 0; opened < 50; opened += 1) await (await database.open()).close()
  } finally {
    opening.abort()
    expect(await removing).toBeGreaterThan(0)
    await other.close()
  }
})
