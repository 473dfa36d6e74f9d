import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Store } from '../src/store/store.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** A store for all tests of a file, which they get by calling what this returns. */
export function sharedStore(): () => Store {
  let folder: string
  let database: TestDatabase
  let store: Store

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
    database = await createTestDatabase(folder)
    store = await database.open()
  })

  afterAll(async () => {
    await store.close()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  return () => store
}
