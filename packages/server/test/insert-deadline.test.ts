import { afterAll, beforeAll, expect, test } from 'vitest'
import { openUpload, replyTo } from './open-upload.ts'
import { photoIntegrity, refusal, sha256, startPhotoServer, type PhotoServer } from './photos.ts'

let server: PhotoServer

beforeAll(async () => {
  server = await startPhotoServer({ VITRINE_INSERT_DEADLINE: '1' })
  await server.client.repoCreate({
    body: { name: 'files', schema: [{ name: 'file', type: 'binary', mime: 'text/plain' }] },
  })
})

afterAll(() => server.close())

test('an upload that falls silent is ended, and one that goes on slowly is not', async () => {
  const silent = await openUpload(server, { path: `${await server.begin('files')}/field/file` })
  const ended = replyTo(silent)
  silent.write('first')
  expect(await ended).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' })
  expect(await server.blobs.unpublished()).toEqual([])

  // Three times as long as the insert stays open without progress.
  const id = await server.begin('files')
  const slow = await openUpload(server, { path: `${id}/field/file` })
  const taken = replyTo(slow)
  for (let index = 0; index < 10; index += 1) {
    slow.write('slow')
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  slow.end()
  expect(await taken).toMatchObject({ status: 200 })
  const integrity = { file: { sha256: sha256('slow'.repeat(10)) } }
  expect(await server.commit(id, integrity, 'files')).toEqual({ id })
})

test('an insert that nobody goes on with expires', async () => {
  const id = await server.begin()
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect(await refusal(server.commit(id, photoIntegrity))).toEqual({
    status: 404,
    code: 'INSERT_EXPIRED',
  })
  expect(await refusal(server.put(id, 'title', 'Cat'))).toEqual({
    status: 404,
    code: 'INSERT_EXPIRED',
  })
})
