// @module-tag whole
// @module-tag blobs

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Blobs } from '../src/blobs/blobs.ts'
import { collectBlobs } from '../src/blobs/collect.ts'
import { createRepo } from '../src/datasets/create-repo.ts'
import { beginInsert } from '../src/inserts/begin-insert.ts'
import { KnownRepos } from '../src/inserts/known-repos.ts'
import { uploadValues } from '../src/inserts/upload-values.ts'
import { ItemIds } from '../src/store/item-ids.ts'
import type { Store } from '../src/store/store.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { sha256 } from './photos.ts'
import { createTestBlobs } from './test-blobs.ts'

let folder: string
let database: TestDatabase
let store: Store
let blobs: Blobs

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  database = await createTestDatabase(folder)
  store = await database.open()
  blobs = await createTestBlobs(folder).open()
})

afterAll(async () => {
  await store.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const alice = { issuer: 'https://issuer.example', subject: 'alice' }
const collect = async () => {
  const collection = await collectBlobs({ store, blobs }, { graceMs: 0, orphanGraceMs: 0 })
  return collection?.collected
}

/** Makes blobs with a collection before anything else, the first time that bytes are published. */
function collectedAfterPublishing(): { blobs: Blobs; published: () => number } {
  let published = 0
  const receive: Blobs['receive'] = async (source, limit) => {
    const received = await blobs.receive(source, limit)
    const publish = async () => {
      const isReplaced = await received.publish()
      published += 1
      if (published === 1) expect(await collect()).toBe(1)
      return isReplaced
    }
    return { ...received, publish }
  }
  return { blobs: { ...blobs, receive }, published: () => published }
}

test('bytes that are collected between their publishing and their lease are published again', async () => {
  const schema = [{ name: 'file', type: 'binary', mime: 'text/plain' }]
  await createRepo(store, { name: 'files', schema }, { identity: alice, visibility: 'all' })
  const raced = collectedAfterPublishing()
  const inserting = {
    store,
    blobs: raced.blobs,
    repos: new KnownRepos(store),
    itemIds: new ItemIds(store),
    deadlineMs: 60_000,
    maxUploadBytes: 1000,
  }
  const { id: itemId } = await beginInsert(inserting, 'files', alice)
  const values = [{ name: 'file', mime: 'text/plain', bytes: [Buffer.from('wanted')] }]
  const insert = { repoName: 'files', itemId, identity: alice }
  await uploadValues(inserting, insert, { values, body: Readable.from([]) })
  expect(raced.published()).toBe(2)
  expect(await collect()).toBe(0)
  expect(await text(await blobs.open({ sha256: sha256('wanted'), size: 6 }))).toBe('wanted')
})
