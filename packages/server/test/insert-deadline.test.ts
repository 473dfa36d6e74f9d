// @module-tag engines

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Store } from '../src/store/store.ts'
import { openUpload, replyTo } from './open-upload.ts'
import { photoIntegrity, refusal, sha256, startPhotoServer, type PhotoServer } from './photos.ts'

const deadlineSeconds = 900

let server: PhotoServer
let store: Store

beforeAll(async () => {
  server = await startPhotoServer({ VITRINE_INSERT_DEADLINE: String(deadlineSeconds) })
  store = await server.database.open()
  await createFiles(server)
})

afterAll(async () => {
  await store.close()
  await server.close()
})

const createFiles = ({ client }: PhotoServer) =>
  client.repoCreate({
    body: { name: 'files', schema: [{ name: 'file', type: 'binary', mime: 'text/plain' }] },
  })

/** Moves the deadline of an insert to so many milliseconds from now. */
const moveDeadline = (id: number, milliseconds: number) =>
  store.write((transaction) =>
    transaction
      .updateTable('inserts')
      .set({ expires_at: Date.now() + milliseconds })
      .where('item_id', '=', id)
      .execute(),
  )

const deadlineOf = async (id: number) => {
  const { expires_at: at } = await store.reads
    .selectFrom('inserts')
    .select('expires_at')
    .where('item_id', '=', id)
    .executeTakeFirstOrThrow()
  return at
}

test('an upload that falls silent is ended', { tags: 'long' }, async () => {
  const hasty = await startPhotoServer({ VITRINE_INSERT_DEADLINE: '1' })
  await createFiles(hasty)
  const upload = await openUpload(hasty, { path: `${await hasty.begin('files')}/field/file` })
  const ended = replyTo(upload)
  upload.write('first')
  expect(await ended).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' })
  expect(await hasty.blobs.unpublished()).toEqual([])
  await hasty.close()
})

test('an upload that goes on slowly keeps its insert open', async () => {
  const id = await server.begin('files')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const others = vi.getTimerCount()
    const upload = await openUpload(server, { path: `${id}/field/file` })
    const taken = replyTo(upload)
    upload.write('slow')
    await expect.poll(() => vi.getTimerCount()).toBe(others + 1)
    for (let round = 0; round < 3; round += 1) {
      await moveDeadline(id, 60_000)
      vi.advanceTimersByTime(5000)
      const renewed = Date.now() + (deadlineSeconds - 120) * 1000
      await expect.poll(() => deadlineOf(id)).toBeGreaterThan(renewed)
      upload.write('slow')
    }
    upload.end()
    expect(await taken).toMatchObject({ status: 200 })
  } finally {
    vi.useRealTimers()
  }
  const integrity = { file: { sha256: sha256('slow'.repeat(4)) } }
  expect(await server.commit(id, integrity, 'files')).toEqual({ id })
})

test('an insert that nobody goes on with expires', async () => {
  const id = await server.begin()
  await moveDeadline(id, -1)
  const expired = { status: 404, code: 'INSERT_EXPIRED' }
  expect(await refusal(server.commit(id, photoIntegrity))).toEqual(expired)
  expect(await refusal(server.put(id, 'title', 'Cat'))).toEqual(expired)
})
