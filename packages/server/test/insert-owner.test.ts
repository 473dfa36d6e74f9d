import { createClient } from '@vitrine/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  form,
  photo,
  photoIntegrity,
  refusal,
  startPhotoServer,
  type PhotoServer,
} from './photos.ts'

let server: PhotoServer

beforeAll(async () => {
  server = await startPhotoServer({}, { restarts: true })
})

afterAll(() => server.close())

async function clientOf(subject: string) {
  const token = await server.issuer.token({ sub: subject })
  return createClient({ baseUrl: server.url, token: () => token, retries: 0 })
}

const notThere = { status: 404, code: 'REPO_OR_ITEM_NOT_FOUND' }

describe('an open insert is its creator’s', () => {
  test('others cannot upload to it or commit it, also after a restart', async () => {
    const itemId = await server.begin()
    await server.upload(itemId, form(photo()))
    const bob = await clientOf('bob')
    const insert = { datasetId: 'photos', itemId }
    const commit = { ...insert, body: { integrity: photoIntegrity } }
    const title = { ...insert, fieldName: 'title', body: 'Dog' }
    const refusedToBob = async () => {
      const body = form({ title: 'Dog' })
      expect(await refusal(bob.insertUpload({ ...insert, body }))).toEqual(notThere)
      expect(await refusal(bob.insertFieldUpload(title))).toEqual(notThere)
      expect(await refusal(bob.insertCommit(commit))).toEqual(notThere)
    }
    await refusedToBob()
    await server.restart()
    await refusedToBob()

    expect(await server.commit(itemId, photoIntegrity)).toEqual({ id: itemId })
    const { data } = await server.get(itemId)
    expect(data['title']).toBe('Cat')
  })

  test('only its creator learns that it expired', async () => {
    const itemId = await server.begin()
    await server.database.use((store) =>
      store.write((transaction) =>
        transaction
          .updateTable('inserts')
          .set({ expires_at: Date.now() - 1 })
          .where('item_id', '=', itemId)
          .execute(),
      ),
    )
    const expired = { status: 404, code: 'INSERT_EXPIRED' }
    expect(await refusal(server.commit(itemId, photoIntegrity))).toEqual(expired)
    const bob = await clientOf('bob')
    const body = form({ title: 'Cat' })
    expect(await refusal(bob.insertUpload({ datasetId: 'photos', itemId, body }))).toEqual(notThere)
  })

  test('a committed insert gives everybody the same replies', async () => {
    const itemId = await server.begin()
    await server.upload(itemId, form(photo()))
    await server.commit(itemId, photoIntegrity)
    const bob = await clientOf('bob')
    const insert = { datasetId: 'photos', itemId }
    expect(await bob.insertCommit({ ...insert, body: { integrity: photoIntegrity } })).toEqual({
      id: itemId,
    })
    expect(await refusal(bob.insertUpload({ ...insert, body: form(photo()) }))).toEqual({
      status: 409,
      code: 'INSERT_COMMITTED',
    })
  })
})
