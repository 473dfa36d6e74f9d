// @module-tag engines

import { addItem, fetchItemProof, ApiError } from '@vitrine/client'
import { integrityPart } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  form,
  photo,
  photoIntegrity,
  png,
  refusal,
  sha256,
  startPhotoServer,
  type FormValue,
  type PhotoServer,
} from './photos.ts'

let server: PhotoServer
let additions = 0

beforeAll(async () => {
  server = await startPhotoServer()
})

afterAll(() => server.close())

const freshKey = () => `addition-${(additions += 1)}`

const add = (
  values: Record<string, FormValue>,
  integrity: object = photoIntegrity,
  key = freshKey(),
) => {
  const body = form({ ...values, [integrityPart]: JSON.stringify(integrity) })
  return server.client.itemAdd({ datasetId: 'photos', key, body })
}

const count = async () => (await server.client.datasetCount({ datasetId: 'photos' })).totalItems

test('one request adds what three steps would, with the same seals', async () => {
  const { id } = await add(photo())
  const stepwise = await server.begin()
  await server.upload(stepwise, form(photo()))
  await server.commit(stepwise, photoIntegrity)
  const [one, other] = [await server.get(id), await server.get(stepwise)]
  expect(one.data).toEqual(other.data)
  expect(one.integrity).toEqual(other.integrity)
  const sealed = async (itemId: number) => {
    const { entry } = await fetchItemProof(server.client, { datasetId: 'photos', itemId })
    const { by, seal } = JSON.parse(entry) as { by: string; seal: string }
    return { by, seal }
  }
  const entry = await sealed(id)
  expect(entry).toEqual(await sealed(stepwise))
  expect(entry.seal).toMatch(/^[0-9a-f]{64}$/)
})

test('the digests may come before the values', async () => {
  const body = form({ [integrityPart]: JSON.stringify(photoIntegrity), ...photo() })
  const { id } = await server.client.itemAdd({ datasetId: 'photos', key: freshKey(), body })
  expect((await server.get(id)).data).toMatchObject({ title: 'Cat', image: sha256(png) })
})

test('the same request again is the same item, however many come at once', async () => {
  const key = freshKey()
  const before = await count()
  const added = await Promise.all(Array.from({ length: 8 }, () => add(photo(), undefined, key)))
  expect(new Set(added.map(({ id }) => id)).size).toBe(1)
  expect(await add(photo(), undefined, key)).toEqual(added[0])
  expect(await count()).toBe(before + 1)
})

test('the key of another item is a conflict', async () => {
  const key = freshKey()
  await add(photo(), undefined, key)
  const other = { ...photo(), title: 'Dog' }
  const signed = { ...photoIntegrity, title: { sha256: sha256('Dog') } }
  expect(await refusal(add(other, signed, key))).toMatchObject({
    status: 409,
    code: 'INSERT_COMMITTED',
  })
})

test.each([
  ['a digest of other bytes', { title: { sha256: sha256('Dog') } }, photo(), 'INTEGRITY_MISMATCH'],
  ['a value that does not conform', {}, { ...photo(), title: 'Too long' }, 'DATA_NOT_CONFORMING'],
  [
    'a reference to nothing',
    { by: { sha256: sha256('9') } },
    { ...photo(), by: '9' },
    'DATA_NOT_CONFORMING',
  ],
  ['a field that is unknown', {}, { ...photo(), colour: 'red' }, 'FIELD_NOT_IN_SCHEMA'],
  [
    'a digest of what was not sent',
    { notes: { sha256: sha256('x') } },
    photo(),
    'DATA_NOT_CONFORMING',
  ],
])('%s is refused, and nothing of it stays', async (_, integrity, values, code) => {
  const before = await count()
  const refused = await refusal(add(values, { ...photoIntegrity, ...integrity }))
  expect(refused).toMatchObject({ code })
  expect(await count()).toBe(before)
  expect(await server.blobs.unpublished()).toEqual([])
})

test('a request whose digests are missing, duplicate or malformed is refused', async () => {
  const parts = Object.entries(photo())
  const signed: [string, string] = [integrityPart, JSON.stringify(photoIntegrity)]
  for (const body of [
    form(parts),
    form([...parts, signed, signed]),
    form([...parts, [integrityPart, '{']]),
  ]) {
    const adding = server.client.itemAdd({ datasetId: 'photos', key: freshKey(), body })
    expect(await refusal(adding)).toMatchObject({ status: 400, code: 'REQUEST_INVALID' })
  }
})

test('keys are forgotten once no request may come again', async () => {
  const key = freshKey()
  const { id } = await add(photo(), undefined, key)
  await server.upkeep({})
  expect(await add(photo(), undefined, key)).toEqual({ id })
  await server.upkeep({ insertKeptMs: 0 })
  expect((await add(photo(), undefined, key)).id).not.toBe(id)
})

test('the client adds what is small in one request, and what is large in three steps', async () => {
  const steps: string[] = []
  const onProgress = ({ step }: { step: string }) => void steps.push(step)
  const values = { title: 'Cat', by: 1, image: photo().image }
  const id = await addItem(server.client, 'photos', values, { oneRequest: true, onProgress })
  expect((await server.get(id)).data).toMatchObject({ title: 'Cat', by: 1 })
  expect(steps).toEqual([])
  const large = new Blob([png, new Uint8Array(1024 * 1024)], { type: 'image/png' })
  const largeId = await addItem(
    server.client,
    'photos',
    { ...values, image: large },
    { oneRequest: true, onProgress },
  )
  expect((await server.get(largeId)).data).toMatchObject({ title: 'Cat' })
  expect(steps).toContain('commit')
  const wrong = { ...values, title: 'Too long' }
  await expect(addItem(server.client, 'photos', wrong, { oneRequest: true })).rejects.toThrow(
    ApiError,
  )
})
