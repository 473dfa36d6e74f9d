import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

beforeAll(async () => {
  server = await startPhotoServer()
})

afterAll(() => server.close())

const send = (itemId: number, body: BodyInit, type: string) =>
  server.request(`/api/repo/photos/item/${itemId}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  })

const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

describe('an insert refuses as unknown', () => {
  const notFound = {
    status: 404,
    code: 'REPO_OR_ITEM_NOT_FOUND',
  }

  test.each([
    ['repository', 'nowhere', 1],
    ['item', 'photos', 999_999],
    ['item of another repository', 'people', 10_000],
  ])('%s', async (_, datasetId, itemId) => {
    expect(await refusal(server.upload(itemId, form(photo()), datasetId))).toEqual(notFound)
    expect(await refusal(server.commit(itemId, photoIntegrity, datasetId))).toEqual(notFound)
    const put = server.client.insertFieldUpload({ datasetId, itemId, fieldName: 'title', body: '' })
    expect(await refusal(put)).toEqual(notFound)
  })

  test('a view, since items cannot be added to one', async () => {
    await server.client.viewCreate({ body: { name: 'portraits', base: 'photos' } })
    expect(await refusal(server.begin('portraits'))).toEqual(notFound)
  })

  test('with a fixed message', async () => {
    await expect(server.begin('nowhere')).rejects.toThrow(
      'repo or item not found, or the insert was not initialized or its deadline was exceeded',
    )
  })

  test('every field that is not in the schema', async () => {
    const id = await server.begin()
    const unknown = { status: 404, code: 'FIELD_NOT_IN_SCHEMA' }
    const problems = ['titel: unknown field "titel"; did you mean "title"?']
    expect(await refusal(server.upload(id, form({ titel: 'x' })))).toEqual({ ...unknown, problems })
    expect(
      await refusal(
        server.client.insertFieldUpload({
          datasetId: 'photos',
          itemId: id,
          fieldName: 'titel',
          body: 'x',
        }),
      ),
    ).toEqual({ ...unknown, problems })
    expect(await refusal(server.upload(id, form({ __proto__x: 'x' })))).toMatchObject(unknown)
    expect(await refusal(server.upload(id, form([['__proto__', 'x']])))).toMatchObject(unknown)
    expect(await refusal(server.upload(id, form([['constructor', 'x']])))).toMatchObject(unknown)
    await server.upload(id, form(photo()))
    const integrity = { ...photoIntegrity, titel: { sha256: sha256('x') } }
    expect(await refusal(server.commit(id, integrity))).toMatchObject(unknown)
    await server.expectUnseen(id)
  })
})

describe('a value', () => {
  test.each<[string, Record<string, FormValue>, string[]]>([
    [
      'too long in code points',
      { title: '🎈🎈🎈🎈🎈🎈' },
      ['title: must be at most 5 characters (code points)'],
    ],
    [
      'far too long',
      { title: 'x'.repeat(50_000) },
      ['title: must be at most 5 characters (code points)'],
    ],
    ['with NUL', { title: new Blob(['a\0b']) }, ['title: must not contain U+0000']],
    ['of invalid UTF-8', { title: new Uint8Array([0xc3, 0x28]) }, ['title: must be valid UTF-8']],
    [
      'of a lone surrogate in UTF-8',
      { title: new Uint8Array([0xed, 0xa0, 0x80]) },
      ['title: must be valid UTF-8'],
    ],
    ...[
      '',
      '0',
      '01',
      '+1',
      '-1',
      '1.0',
      '1e3',
      ' 1',
      '9007199254740992',
      '١',
      '1'.repeat(100),
    ].map((by): [string, Record<string, FormValue>, string[]] => [
      `of a number that is not canonical: ${JSON.stringify(by.slice(0, 20))}`,
      { by },
      ['by: must be the id of an item in decimal digits, without leading zeros'],
    ]),
    [
      'of another media type',
      { image: new Blob([png], { type: 'image/gif' }) },
      ['image: must be image/png, not image/gif'],
    ],
    ['of text for a binary', { image: 'words' }, ['image: must be image/png, not text/plain']],
    [
      'of bytes that belie their type',
      { image: new Blob(['<svg/>'], { type: 'image/png' }) },
      ['image: is not image/png, but image/svg+xml, going by its first bytes'],
    ],
    [
      'of no bytes that should be an image',
      { image: new Blob([], { type: 'image/png' }) },
      ['image: is not image/png, going by its first bytes'],
    ],
    [
      'of an image that does not say which',
      { raw: new Uint8Array(50) },
      ['raw: must be image/*, and say which'],
    ],
    [
      'of which much has not come when it is refused, and another',
      { title: 'x'.repeat(500_000), by: 'x' },
      [
        'title: must be at most 5 characters (code points)',
        'by: must be the id of an item in decimal digits, without leading zeros',
      ],
    ],
    [
      'of bytes that belie their type, and another',
      { image: new Blob([Buffer.alloc(500_000, 7)], { type: 'image/png' }), raw: 'x' },
      ['image: is not image/png, going by its first bytes', 'raw: must be image/*, not text/plain'],
    ],
    [
      'so long that the rest of the form is not read',
      { title: 'x'.repeat(3_000_000), by: 'x' },
      ['title: must be at most 5 characters (code points)'],
    ],
    [
      'and another',
      { title: '123456', by: 'x' },
      [
        'title: must be at most 5 characters (code points)',
        'by: must be the id of an item in decimal digits, without leading zeros',
      ],
    ],
  ])('%s does not conform', async (_, values, problems) => {
    const id = await server.begin()
    expect(await refusal(server.upload(id, form({ ...photo(), ...values })))).toEqual({
      status: 422,
      code: 'DATA_NOT_CONFORMING',
      problems,
    })
    // A refusal changes nothing: not one of the other values was taken.
    expect(await refusal(server.commit(id, photoIntegrity))).toMatchObject({
      problems: [
        'title: has a digest in integrity, and was not uploaded',
        'by: has a digest in integrity, and was not uploaded',
        'image: has a digest in integrity, and was not uploaded',
      ],
    })
  })

  test('counts code points, keeps a byte order mark, may be empty', async () => {
    const id = await server.begin()
    const title = '\uFEFF🎈🎈🎈🎈'
    const { fields } = await server.upload(
      id,
      form({ ...photo(), title: new Blob([title]), notes: '' }),
    )
    expect(fields['title']).toEqual({ sha256: sha256(title), size: 19 })
    expect(fields['notes']).toEqual({ sha256: sha256(''), size: 0 })
  })
})

describe('a malformed request', () => {
  test.each([
    ['one field twice', `${part('title', 'a')}${part('title', 'a')}--b--\r\n`],
    ['an end in the middle of a part', part('title', 'a')],
    ['an end in the middle of a header', '--b\r\nContent-Dispo'],
    ['no form at all', 'hello'],
    ['nothing', ''],
    ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n'],
    [
      'too many parts',
      `${Array.from({ length: 300 }, (_, i) => `--b\r\nX: ${i}\r\n\r\n\r\n`).join('')}--b--\r\n`,
    ],
    // Who tells first that a form is cut off depends on the moment; the answer must not.
  ])('%s', { repeats: 20 }, async (_, body) => {
    const id = await server.begin()
    const response = await send(id, body, 'multipart/form-data; boundary=b')
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'REQUEST_INVALID', message: 'got incorrect data in request' },
    ])
  })

  test('without a multipart boundary is refused', async () => {
    expect((await send(await server.begin(), 'x', 'multipart/form-data')).status).toBe(400)
  })

  test.each([
    'application/json',
    'text/plain',
    'multipart/mixed; boundary=b',
    'application/x-www-form-urlencoded',
  ])('of type %s is refused with 415', async (type) => {
    const response = await send(await server.begin(), 'title=Cat', type)
    expect([response.status, await response.json()]).toMatchObject([
      415,
      { code: 'MEDIA_TYPE_UNSUPPORTED' },
    ])
  })
})
