import type { ImportFormat, ImportState, SchemaField } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findingsAfterCollection } from './findings.ts'
import { photo, photoIntegrity, form, png, sha256, startPhotoServer } from './photos.ts'
import { wholeImport } from './whole-import.ts'

let server: Awaited<ReturnType<typeof startPhotoServer>>

beforeAll(async () => {
  server = await startPhotoServer()
  // The bytes that rows name by their digest.
  const id = await server.begin()
  await server.upload(id, form(photo()))
  await server.commit(id, photoIntegrity)
})

afterAll(() => server.close())

const image = sha256(png)
const binary = { name: 'image', type: 'binary', mime: 'image/*' } as const
const optional = { optional: true } as const
const text = { name: 'text', type: 'string', length: 9, ...optional } as const
const by = { name: 'by', type: 'reference', target: 'people', ...optional } as const

/** Repositories in which rows may say nothing that is hashed, or nothing at all. */
const schemas: [what: string, schema: SchemaField[]][] = [
  ['one binary', [binary]],
  ['one optional binary', [{ ...binary, ...optional }]],
  ['binaries only', [binary, { ...binary, name: 'raw', ...optional }]],
  ['an optional text', [text]],
  ['optional fields of every type', [text, by, { ...binary, ...optional }]],
]

let repos = 0

async function importRows(
  schema: SchemaField[],
  { format, body }: { format: ImportFormat; body: string },
): Promise<{ datasetId: string; state: ImportState }> {
  repos += 1
  const datasetId = `shape-${repos}`
  await server.client.repoCreate({ body: { name: datasetId, schema } })
  return { datasetId, state: await wholeImport(server.client, { datasetId, format, body }) }
}

const ndjson = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

describe.each(schemas)('a repository of %s', (_, schema) => {
  const isBinary = schema[0]!.type === 'binary'
  const full = isBinary ? { image } : { text: 'A' }
  const isOptional = schema[0]!.optional === true
  const rows = [full, ...(isOptional ? [{}, {}] : []), full]

  test('takes rows', async () => {
    // More than are packed together.
    const many = Array.from({ length: 300 }, () => rows).flat()
    const { datasetId, state } = await importRows(schema, { format: 'ndjson', body: ndjson(many) })
    expect(state).toMatchObject({ state: 'done', publishedRows: many.length })
    for (const [index, row] of rows.entries()) {
      const { integrity } = await server.get(state.items!.firstId + index, datasetId)
      expect(Object.keys(integrity!)).toEqual(Object.keys(row))
    }
  })

  test('takes one row, and none', async () => {
    for (const taken of [[full], ...(isOptional ? [[{}]] : []), []]) {
      const { datasetId, state } = await importRows(schema, {
        format: 'ndjson',
        body: ndjson(taken),
      })
      expect(state).toMatchObject({ state: 'done', rows: taken.length })
      expect(await server.client.datasetCount({ datasetId })).toEqual({ totalItems: taken.length })
    }
  })

  test('takes CSV with a header alone', async () => {
    const body = `${schema.map(({ name }) => name).join(',')}\n`
    const { state } = await importRows(schema, { format: 'csv', body })
    expect(state).toMatchObject({ state: 'done', rows: 0 })
  })
})

test('verify finds no damage after all these imports and a collection', async () => {
  const { database, blobs } = server
  expect(await findingsAfterCollection({ database, blobs: await blobs.open() })).toEqual([])
})
