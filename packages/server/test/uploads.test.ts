import { afterAll, beforeAll, expect, test } from 'vitest'
import { openUpload, replyTo } from './open-upload.ts'
import { refusal, sha256, startPhotoServer, type PhotoServer } from './photos.ts'

const maxUploadBytes = 4_000_000

let server: PhotoServer

beforeAll(async () => {
  server = await startPhotoServer({
    VITRINE_MAX_UPLOAD_BYTES: String(maxUploadBytes),
  })
  await server.client.repoCreate({
    body: { name: 'files', schema: [{ name: 'file', type: 'binary', mime: 'text/plain' }] },
  })
})

afterAll(() => server.close())

const unpublished = () => server.blobs.unpublished()

const form = (value: Blob) => {
  const made = new FormData()
  made.append('file', value)
  return made
}

test('an upload that is killed leaves nothing', async () => {
  const id = await server.begin('files')
  const upload = await openUpload(server, { path: `${id}/field/file` })
  upload.write(Buffer.alloc(3_000_000))
  await expect.poll(unpublished).toHaveLength(1)
  upload.destroy()
  await expect.poll(unpublished).toEqual([])
  await server.expectUnseen(id, 'files')
  const integrity = { file: { sha256: sha256(Buffer.alloc(3_000_000)) } }
  expect(await refusal(server.commit(id, integrity, 'files'))).toMatchObject({ status: 422 })
})

test('a form that is killed in the middle of a part leaves nothing', async () => {
  const id = await server.begin('files')
  const upload = await openUpload(server, {
    path: String(id),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
  upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n')
  upload.write(Buffer.alloc(3_000_000))
  await expect.poll(unpublished).toHaveLength(1)
  upload.destroy()
  await expect.poll(unpublished).toEqual([])
})

const tooLarge = { status: 413, code: 'CONTENT_TOO_LARGE' }

test('an upload whose Content-Length is too large is refused before its body is sent', async () => {
  const upload = await openUpload(server, {
    path: `${await server.begin('files')}/field/file`,
    headers: { 'content-length': String(maxUploadBytes + 1) },
  })
  const refused = replyTo(upload)
  upload.flushHeaders()
  expect(await refused).toMatchObject(tooLarge)
  upload.destroy()
})

test(
  'an upload that exceeds the limit is refused while the client still sends',
  { tags: 'long' },
  async () => {
    const id = await server.begin('files')
    const just = new Blob([new Uint8Array(maxUploadBytes)])
    await server.put(id, 'file', just, 'files')
    const more = new Blob([new Uint8Array(maxUploadBytes + 1)])
    expect(await refusal(server.put(id, 'file', more, 'files'))).toEqual(tooLarge)

    await server.upload(id, form(just), 'files')
    expect(await refusal(server.upload(id, form(more), 'files'))).toEqual(tooLarge)
    const far = new Blob([new Uint8Array(100_000_000)])
    expect(await refusal(server.upload(id, form(far), 'files'))).toEqual(tooLarge)

    const endless = await openUpload(server, {
      path: `${id}/field/file`,
      headers: { 'transfer-encoding': 'chunked' },
    })
    const refused = replyTo(endless)
    let isRefused = false
    const sendMore = () => {
      if (!isRefused) endless.write(Buffer.alloc(500_000), sendMore)
    }
    sendMore()
    expect(await refused).toMatchObject(tooLarge)
    isRefused = true
    endless.destroy()
    expect(await unpublished()).toEqual([])
  },
)

test('a wrong token is answered while the body is still on its way', async () => {
  const upload = await openUpload(server, {
    path: '1/field/file',
    headers: {
      authorization: 'Bearer wrong',
      'content-length': '100000000',
    },
  })
  const refused = replyTo(upload)
  upload.write(Buffer.alloc(1_000_000))
  expect(await refused).toMatchObject({ status: 401 })
  upload.destroy()
})
