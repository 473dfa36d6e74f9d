// @module-tag engines

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addItem } from '@vitrine/client'
import {
  form,
  photo,
  photoIntegrity,
  png,
  refusal,
  sha256,
  startPhotoServer,
  type PhotoServer,
} from './photos.ts'

let server: PhotoServer

beforeAll(async () => {
  server = await startPhotoServer()
})

afterAll(() => server.close())

describe('an item is added', () => {
  test('in three steps, byte for byte, with the seal of every value', async () => {
    const before = Date.now()
    const { id, expiresAt } = await server.client.insertBegin({ datasetId: 'photos' })
    const deadline = Date.parse(expiresAt ?? '') - 900_000
    expect(deadline).toBeGreaterThanOrEqual(before)
    expect(deadline).toBeLessThanOrEqual(Date.now())
    expect(await server.upload(id, form(photo()))).toEqual({
      fields: {
        title: { sha256: sha256('Cat'), size: 3 },
        by: { sha256: sha256('1'), size: 1 },
        image: { sha256: sha256(png), size: png.length, mime: 'image/png' },
      },
    })
    await server.expectUnseen(id)
    expect(await server.commit(id, photoIntegrity)).toEqual({ id })
    expect(await server.client.datasetItemGet({ datasetId: 'photos', itemId: id })).toMatchObject({
      id,
      data: { title: 'Cat', by: 1, image: sha256(png) },
    })
    const bytes = await server.client.datasetFieldGet({
      datasetId: 'photos',
      itemId: id,
      fieldName: 'image',
    })
    expect(Buffer.from(await bytes.arrayBuffer()).equals(png)).toBe(true)
  })

  test('by the client, with the line ends of its texts unchanged', async () => {
    const notes = 'one\ntwo\r\nthree\rπ 🎈'
    const id = await addItem(server.client, 'photos', { ...photo(), by: 1, notes })
    const { data } = await server.client.datasetItemGet({ datasetId: 'photos', itemId: id })
    expect(data['notes']).toBe(notes)
  })

  test('field by field, each as the bare body', async () => {
    const id = await server.begin()
    const put = (fieldName: string, body: BodyInit) =>
      server.client.insertFieldUpload({ datasetId: 'photos', itemId: id, fieldName, body })
    expect(await put('title', 'Cat')).toEqual({
      fields: { title: { sha256: sha256('Cat'), size: 3 } },
    })
    await put('by', '1')
    await put('image', png)
    expect(await server.commit(id, photoIntegrity)).toEqual({ id })
  })

  test('with what was uploaded last, whichever call brought it', async () => {
    const id = await server.begin()
    await server.upload(id, form({ ...photo(), title: 'Dog', notes: 'kept' }))
    await server.upload(id, form({ title: 'Cat' }))
    await server.commit(id, { ...photoIntegrity, notes: { sha256: sha256('kept') } })
    const { data } = await server.client.datasetItemGet({ datasetId: 'photos', itemId: id })
    expect(data).toMatchObject({ title: 'Cat', notes: 'kept' })
  })

  test('with a part that is called like a file, as the schema tells what it is', async () => {
    const id = await server.begin('people')
    const body = new FormData()
    body.append('name', new File(['Grace'], 'evil.html', { type: 'text/html' }))
    await server.upload(id, body, 'people')
    await server.commit(id, { name: { sha256: sha256('Grace') } }, 'people')
    const { data } = await server.client.datasetItemGet({ datasetId: 'people', itemId: id })
    expect(data).toEqual({ name: 'Grace' })
  })

  test('with a media type taken from the schema or the first bytes where none is said', async () => {
    const id = await server.begin()
    const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 ')
    const { fields } = await server.upload(id, form({ image: png, raw: webp }))
    expect(fields['image']?.mime).toBe('image/png')
    expect(fields['raw']?.mime).toBe('image/webp')
  })

  test('in any number at a time, at dense positions', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `p${index}`)
    const before = await server.client.datasetCount({ datasetId: 'people' })
    const ids = await Promise.all(names.map((name) => addItem(server.client, 'people', { name })))
    expect(new Set(ids).size).toBe(40)
    const after = await server.client.datasetCount({ datasetId: 'people' })
    expect(after.totalItems).toBe(before.totalItems + 40)
  })
})

describe('a commit', () => {
  test('may come again', async () => {
    const id = await server.begin()
    await server.upload(id, form(photo()))
    const ids = await Promise.all([1, 2, 3].map(() => server.commit(id, photoIntegrity)))
    expect(ids).toEqual([{ id }, { id }, { id }])
    expect(await server.commit(id, photoIntegrity)).toEqual({ id })
  })

  test('of a committed item with other digests is a conflict, and so is an upload', async () => {
    const id = await server.begin()
    await server.upload(id, form(photo()))
    await server.commit(id, photoIntegrity)
    const conflict = { status: 409, code: 'INSERT_COMMITTED' }
    const others = { ...photoIntegrity, title: { sha256: sha256('Dog') } }
    expect(await refusal(server.commit(id, others))).toEqual(conflict)
    expect(await refusal(server.commit(id, { title: photoIntegrity.title }))).toEqual(conflict)
    expect(await refusal(server.upload(id, form(photo())))).toEqual(conflict)
    const { data } = await server.client.datasetItemGet({ datasetId: 'photos', itemId: id })
    expect(data['title']).toBe('Cat')
  })

  test('with a digest of other bytes names the fields, and the insert stays open', async () => {
    const id = await server.begin()
    await server.upload(id, form(photo()))
    const wrong = {
      ...photoIntegrity,
      title: { sha256: sha256('Dog') },
      by: { sha256: sha256('2') },
    }
    expect(await refusal(server.commit(id, wrong))).toEqual({
      status: 422,
      code: 'INTEGRITY_MISMATCH',
      problems: [
        `title: what was received has the sha256 ${sha256('Cat')}`,
        `by: what was received has the sha256 ${sha256('1')}`,
      ],
    })
    await server.expectUnseen(id)
    expect(await server.commit(id, photoIntegrity)).toEqual({ id })
  })

  test('names the fields that are missing in the data or in integrity', async () => {
    const id = await server.begin()
    expect(await refusal(server.commit(id, {}))).toEqual({
      status: 422,
      code: 'DATA_NOT_CONFORMING',
      problems: ['title: is required', 'by: is required', 'image: is required'],
    })
    await server.upload(id, form({ title: 'Cat', image: photo().image }))
    const { title, by } = photoIntegrity
    expect(await refusal(server.commit(id, { title, by }))).toEqual({
      status: 422,
      code: 'DATA_NOT_CONFORMING',
      problems: [
        'by: has a digest in integrity, and was not uploaded',
        'image: was uploaded, and integrity has no digest of it',
      ],
    })
    await server.expectUnseen(id)
  })

  test('refers to committed items only', async () => {
    const uncommitted = await server.begin('people')
    await server.upload(uncommitted, form({ name: 'Ghost' }), 'people')
    const id = await server.begin()
    await server.upload(id, form({ ...photo(), by: String(uncommitted) }))
    const integrity = { ...photoIntegrity, by: { sha256: sha256(String(uncommitted)) } }
    expect(await refusal(server.commit(id, integrity))).toEqual({
      status: 422,
      code: 'DATA_NOT_CONFORMING',
      problems: [`by: there is no item ${uncommitted} in "people"`],
    })
    await server.commit(uncommitted, { name: { sha256: sha256('Ghost') } }, 'people')
    expect(await server.commit(id, integrity)).toEqual({ id })
  })

  test.each([
    ['uppercase hex', { title: { sha256: sha256('Cat').toUpperCase() } }],
    ['no digest', { title: {} }],
    ['a digest too short', { title: { sha256: 'abc' } }],
  ])('with %s is malformed', async (_, integrity) => {
    const id = await server.begin()
    expect(await refusal(server.commit(id, integrity))).toMatchObject({
      status: 400,
      code: 'REQUEST_INVALID',
    })
  })
})
