import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { png } from './png.ts'
import { tar, zip } from './sample-archives.ts'
import { workbook } from './sample-workbook.ts'
import { startTestServer, type TestServer } from './server.ts'
import { wholeImport } from './whole-import.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const packed = {
  zip: async (rows: Buffer) =>
    zip([
      ['pets/rows.xlsx', rows],
      ['pets/tom.png', png],
    ]),
  tar: async (rows: Buffer) =>
    tar([
      ['rows.xlsx', rows],
      ['tom.png', png],
    ]),
  'tar.gz': async (rows: Buffer) =>
    tar(
      [
        ['rows.xlsx', rows],
        ['tom.png', png],
      ],
      gzipSync,
    ),
}

test.each(Object.entries(packed))('the rows of a %s are a workbook', async (name, pack) => {
  const cell = (value: string) => `<c t="str"><v>${value}</v></c>`
  const rows = await workbook(
    `<row r="1">${cell('Pets')}</row><row r="2">${cell('name')}${cell('picture')}</row>` +
      `<row r="4">${cell('Tom')}${cell('tom.png')}</row>`,
  )
  const format = name === 'zip' ? 'zip' : 'tar'
  const datasetId = `pets-${name.replace('.', '-')}`
  const nameField = { name: 'name', type: 'string' } as const
  const picture = { name: 'picture', type: 'binary', mime: 'image/*' } as const
  await server.client.repoCreate({ body: { name: datasetId, schema: [nameField, picture] } })
  const send = async (input: { body: BodyInit; skip?: number; sheet?: string; key: string }) =>
    wholeImport(server.client, { datasetId, format, ...input })
  const body = await pack(rows)
  await expect(send({ body, skip: 1, sheet: 'Two', key: 'a' })).rejects.toMatchObject({
    problems: [expect.stringContaining('has no sheet "Two"')],
  })
  expect(await send({ body, skip: 1, key: 'b' })).toMatchObject({ state: 'done', rows: 1 })
  const [item] = await server.client.datasetItemList({ datasetId })
  expect(item!.data).toEqual({ name: 'Tom', picture: hash('sha256', png) })

  await expect(send({ body: await pack(rows.subarray(0, -30)), key: 'c' })).rejects.toMatchObject({
    problems: [expect.stringContaining('is a damaged workbook')],
  })
})
