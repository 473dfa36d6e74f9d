import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openStore } from '../src/store/store.ts'

test('a transaction that reads first does not fail by what a command writes meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const file = join(folder, 'vitrine.db')
  const store = await openStore({ database: { engine: 'sqlite', file } })
  // Without patience: on this thread it would wait for itself.
  const command = new DatabaseSync(file, { timeout: 0 })
  const write = () => command.exec("insert into leases values ('command', 'command', 0)")
  await store.write(async (transaction) => {
    await transaction.selectFrom('leases').selectAll().execute()
    expect(write).toThrow('database is locked')
    const mine = { name: 'mine', holder: 'mine', expires_at: 0 }
    await transaction.insertInto('leases').values(mine).execute()
  })
  write()
  command.close()
  await store.close()
  rmSync(folder, { recursive: true })
})
