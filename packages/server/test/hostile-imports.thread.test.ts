// @module-tag whole
// @module-tag imports

import type { ImportFormat, ImportState, Refusal, SchemaField } from '@vitrine/contract'
import { limits } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, startPhotoServer, type PhotoServer } from './photos.ts'
import { times } from './times.ts'
import { wholeImport } from './whole-import.ts'

let server: PhotoServer

const datasetId = 'notes'
const wideId = 'wide'
const fields = Array.from({ length: limits.fields }, (_, index): SchemaField => {
  return { name: `field_${index}`, type: 'string', length: 5 }
})

beforeAll(async () => {
  server = await startPhotoServer()
  const title = { name: 'title', type: 'string', length: 5 } as const
  await server.client.repoCreate({ body: { name: datasetId, schema: [title] } })
  await server.client.repoCreate({ body: { name: wideId, schema: fields } })
})

afterAll(() => server.close())

type Options = Partial<Parameters<PhotoServer['client']['importBegin']>[0]>

const importRows = (
  format: ImportFormat,
  body: BodyInit,
  options: Options = {},
): Promise<ImportState> => wholeImport(server.client, { datasetId, format, ...options, body })

async function report(importKey: string, of = datasetId): Promise<Refusal[]> {
  const blob = await server.client.importReport({ datasetId: of, importKey })
  const lines = (await blob.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Refusal)
}

/** Bytes of a hostile row; it may have 16 MiB. */
const bytes = 1024 ** 2 * times('HOSTILE_MIB', { first: 1, whole: 15 })
/** Rows of an import in which each is refused. */
const refusedCount = times('REFUSED_ROWS', { first: 1000, whole: 20_000 })
const good = '{"title":"A"}\n'
const tooDeep = `nests deeper than ${limits.rowDepth} levels`
const tooLong = 'must be at most 5 characters (code points)'
const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/** Rows that a reader may recurse into, look through again and again, or make much of. */
const hostileRows: [what: string, row: string, reason: string][] = [
  ['objects 20,000 deep', `{"title":${objects(20_000)}}`, tooDeep],
  ['lists 20,000 deep', `{"title":${lists(20_000)}}`, tooDeep],
  ['a list of as many depths as fit', lists(bytes / 2 - 8), tooDeep],
  ['lists that never end', '['.repeat(bytes), tooDeep],
  ['a depth more than there may be', `{"title":${lists(limits.rowDepth)}}`, tooDeep],
  [
    'a long text with quotes and colons, beside an object',
    `{"title":"${'\\": '.repeat(bytes / 4)}","a":{}}`,
    'unknown field "a"',
  ],
  ['a text of escapes', `{"title":"${'\\\\'.repeat(bytes / 2 - 16)}","a":{}}`, 'unknown field "a"'],
  ['a string that never ends', `{"title":"${'\\"'.repeat(bytes / 2 - 16)}`, 'is not valid JSON'],
  ['digits', `{"title":${'9'.repeat(bytes)}}`, tooLong],
  ['a long key', `{"title":"A","${'k'.repeat(bytes)}":1}`, 'unknown field "kkk'],
  ['quotes', `{"title":"${"'".repeat(bytes)}"}`, tooLong],
  [
    'empty lists, many of them',
    `{"title":[${'[],'.repeat(bytes / 4)}[]]}`,
    'must be text, or a number',
  ],
]

describe('a row that is hostile to its reader is refused, and others are taken', () => {
  test.each(hostileRows)('%s', async (_, row, reason) => {
    const body = `${good}${row}\n${good}`
    const { key, ...state } = await importRows('ndjson', body, { mode: 'skip' })
    expect(state).toMatchObject({ state: 'done', rows: 3, refusedRows: 1, publishedRows: 2 })
    const refused = await report(key)
    expect(refused[0]).toMatchObject({ row: 2, line: 2, reason: expect.stringContaining(reason) })
    const failed = await refusal(importRows('ndjson', body))
    expect(failed).toMatchObject({
      status: 422,
      problems: expect.arrayContaining([expect.stringMatching(/^row 2/)]),
    })
  })

  test('a column as deep as a row may be can be left out', async () => {
    const row = `{"title":"A","deep":${lists(limits.rowDepth - 1)}}\n`
    const state = await importRows('ndjson', row, { columns: { deep: null } })
    expect(state).toMatchObject({ state: 'done', publishedRows: 1 })
  })

  test.each<[what: string, row: string, reason: string]>([
    ['cells, many of them', ','.repeat(bytes), `has more than ${limits.columns} cells`],
    ['quotes in quotes', `"${'""'.repeat(bytes / 2 - 16)}"`, tooLong],
    ['a guarded cell of quotes', "'".repeat(bytes), tooLong],
    ['line breaks', `"${'\n'.repeat(bytes)}"`, tooLong],
  ])('in CSV: %s', async (_, row, reason) => {
    const options = { mode: 'skip', guard: true } as const
    const { key, ...state } = await importRows('csv', `title\nA\n${row}\nB\n`, options)
    expect(state).toMatchObject({ state: 'done', rows: 3, refusedRows: 1, publishedRows: 2 })
    expect((await report(key))[0]).toMatchObject({
      row: 2,
      reason: expect.stringContaining(reason),
    })
  })
})

describe('the problems reported for an invalid file are bounded', () => {
  const bytesMax = 64 * 1024

  test('a CSV of 200,000 columns is refused by its first line, with one problem', async () => {
    const names = Array.from({ length: 200_000 }, (_, index) => `column_${index}`)
    const failed = await server.request(`/api/repo/${datasetId}/import?format=csv`, {
      method: 'POST',
      body: `title,${names.join(',')}\n`,
    })
    expect(failed.status).toBe(422)
    const text = await failed.text()
    expect(text.length).toBeLessThan(bytesMax)
    expect(JSON.parse(text).details.problems).toEqual([
      { path: [], reason: `has more than ${limits.columns} columns` },
    ])
  })

  test('a file with 5,000 unknown columns reports the first of them and the total', async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `column_${index}`)
    const { key } = await server.client.importBegin({
      datasetId,
      format: 'csv',
      complete: false,
      body: `title,${names.join(',')}\n`,
    })
    const end = { datasetId, importKey: key, complete: true, wait: 60, body: '' }
    const offset = (await server.client.importGet({ datasetId, importKey: key })).receivedBytes
    const state = await server.client.importAppend({ ...end, offset })
    expect(state.state).toBe('failed')
    expect(state.error!.details!.problems).toHaveLength(limits.problems)
    expect(state.error!.details!.problemsTotal).toBe(5000)
    expect(JSON.stringify(state).length).toBeLessThan(bytesMax)
  })

  test('a column with a very long name is named in short', async () => {
    const failed = await server.request(`/api/repo/${datasetId}/import?format=csv`, {
      method: 'POST',
      body: `title,${'x'.repeat(bytes)}\n`,
    })
    expect(failed.status).toBe(422)
    expect((await failed.text()).length).toBeLessThan(bytesMax)
  })

  test('a row with very many keys that are none has some problems, and their number', async () => {
    const keyCount = Math.floor(bytes / 15)
    const keys = Array.from({ length: keyCount }, (_, index) => `"k${index}":1`)
    const body = `${good}{${keys.join(',')}}\n${good}`
    const { key, ...state } = await importRows('ndjson', body, { mode: 'skip' })
    expect(state).toMatchObject({ state: 'done', rows: 3, refusedRows: 1, publishedRows: 2 })
    const refused = await report(key)
    expect(refused).toHaveLength(limits.rowProblems + 1)
    const more = keyCount + 1 - limits.rowProblems
    expect(refused.at(-1)).toMatchObject({
      row: 2,
      field: null,
      reason: `has ${more} more problems`,
    })
  })

  test('rows that lack every field are refused one after the other, however many', async () => {
    const body = '{}\n'.repeat(refusedCount)
    const options = { datasetId: wideId, format: 'ndjson', mode: 'skip', body } as const
    const { key, ...state } = await server.client.importBegin(options)
    expect(state).toMatchObject({ state: 'done', refusedRows: refusedCount })
    expect(await report(key, wideId)).toHaveLength(refusedCount * (limits.rowProblems + 1))
  })
})
