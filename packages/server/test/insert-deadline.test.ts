import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openUpload, replyTo } from './open-upload.ts'
import { photoIntegrity, refusal, sha256, startPhotoServer, type PhotoServer } from './photos.ts'

/** Far more than a machine with other work takes from one step to the next. */
const deadlineSeconds = 8

let server: PhotoServer
let abandoned: { id: number; expiresAt?: string }

beforeAll(async () => {
  server = await startPhotoServer({ VITRINE_INSERT_DEADLINE: String(deadlineSeconds) })
  await server.client.repoCreate({
    body: { name: 'files', schema: [{ name: 'file', type: 'binary', mime: 'text/plain' }] },
  })
  abandoned = await server.client.insertBegin({ datasetId: 'photos' })
})

afterAll(() => server.close())

async function fallSilent(): Promise<object> {
  const upload = await openUpload(server, { path: `${await server.begin('files')}/field/file` })
  const ended = replyTo(upload)
  upload.write('first')
  return ended
}

/** Goes on for half as long again as an insert stays open without progress, and is committed. */
async function goOnSlowly(): Promise<void> {
  const id = await server.begin('files')
  const upload = await openUpload(server, { path: `${id}/field/file` })
  const taken = replyTo(upload)
  const count = deadlineSeconds * 3
  for (let index = 0; index < count; index += 1) {
    upload.write('slow')
    await sleep(500)
  }
  upload.end()
  expect(await taken).toMatchObject({ status: 200 })
  const integrity = { file: { sha256: sha256('slow'.repeat(count)) } }
  expect(await server.commit(id, integrity, 'files')).toEqual({ id })
}

test('an upload that falls silent is ended, and one that goes on slowly is not', async () => {
  const [silent] = await Promise.all([fallSilent(), goOnSlowly()])
  expect(silent).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' })
  expect(await server.blobs.unpublished()).toEqual([])
})

test('an insert that nobody goes on with expires', async () => {
  const { id, expiresAt } = abandoned
  await sleep(Math.max(0, Date.parse(expiresAt!) + 1 - Date.now()))
  const expired = { status: 404, code: 'INSERT_EXPIRED' }
  expect(await refusal(server.commit(id, photoIntegrity))).toEqual(expired)
  expect(await refusal(server.put(id, 'title', 'Cat'))).toEqual(expired)
})
