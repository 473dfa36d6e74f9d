import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { GroupCommit } from '../group-commit.ts'
import { migrate, migrations } from '../migrate.ts'
import type { Store } from '../store.ts'
import { ApartWriter } from './apart-writer.ts'
import { compileApartWrite } from './compile-apart-write.ts'
import { commitOnSqlite } from './commit-group.ts'
import { openSqlite } from './connection.ts'
import { exclusivelyHere } from './exclusively.ts'
import { privateFolder } from './private-folder.ts'
import { readSortedKeys } from './sorted-keys.ts'

export async function openSqliteStore(file: string): Promise<Store> {
  mkdirSync(dirname(file), { recursive: true, mode: privateFolder })
  const writing = openSqlite(file, { readOnly: false })
  const { db: writes } = writing
  await migrate(writes, migrations)
  const { db: reads, prepare } = openSqlite(file, { readOnly: true })
  const group = new GroupCommit(commitOnSqlite(writing))
  const apart = new ApartWriter(file)
  return {
    reads,
    prepare,
    // The data folder is locked, so nobody else writes datasets or items.
    version: () => group.commits,
    write: (write, options) => group.write(write, options),
    writeApart: (write) => {
      const task = compileApartWrite(writes, write)
      return group.alone(() => apart.write(task))
    },
    sortKeys: (listingId, batch) =>
      readSortedKeys({ databaseFile: file, table: `keys_${listingId}`, batch }),
    exclusively: exclusivelyHere(),
    close: async () => {
      await group.idle()
      await apart.close()
      await reads.destroy()
      await writes.destroy()
    },
  }
}
