import { addItem, ApiError } from '@vitrine/client'
import {
  canonicalJson,
  type ImportFormat,
  type ItemValue,
  type SchemaField,
} from '@vitrine/contract'
import { hash } from 'node:crypto'
import { tableFromIPC } from 'apache-arrow'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf } from './body-of.ts'
import { startTestServer, type TestServer } from './server.ts'
import { wholeImport } from './whole-import.ts'

let server: TestServer

const optional = { optional: true } as const
const schema: SchemaField[] = [
  { name: 'whole', type: 'integer' },
  { name: 'real', type: 'number', ...optional },
  { name: 'flag', type: 'boolean', ...optional },
  { name: 'day', type: 'date', ...optional },
  { name: 'at', type: 'timestamp', ...optional },
  { name: 'took', type: 'duration', ...optional },
  { name: 'more', type: 'json', ...optional },
  { name: 'size', type: 'string', length: 9, choices: ['S', 'M', 'L'], ...optional },
]

type Row = Record<string, ItemValue>

const rows: Row[] = [
  {
    whole: Number.MAX_SAFE_INTEGER,
    real: 0.1,
    flag: true,
    day: '2026-11-22',
    at: '2026-11-22T15:04:05.25Z',
    took: 'P1DT2H3M4.5S',
    more: { b: [1e21, null], a: 'ß\0"' },
    size: 'L',
  },
  { whole: -Number.MAX_SAFE_INTEGER, real: 5e-324, flag: false, day: '0001-01-01', size: 'S' },
  {
    whole: 10,
    real: -1e-7,
    at: '0001-01-01T00:00:00Z',
    took: '-PT0.000001S',
    more: 'text',
    size: 'M',
  },
  { whole: 9, real: 1e21, day: '9999-12-31', at: '9999-12-31T23:59:59.999999Z', more: 5 },
  { whole: 0, real: 0, at: '2026-11-22T15:04:05.250001Z', took: 'PT0S', more: false },
  { whole: 2 },
]

/** The canonical texts of the first of them. */
const firstTexts = {
  whole: '9007199254740991',
  real: '0.1',
  flag: 'true',
  day: '2026-11-22',
  at: '2026-11-22T15:04:05.25Z',
  took: 'P1DT2H3M4.5S',
  more: '{"a":"ß\\u0000\\"","b":[1e+21,null]}',
  size: 'L',
}

/** Rows in other spellings that files may have. */
const spelled = [
  'whole,real,flag,day,at,took,more,size',
  '+9007199254740991,.1,YES,2026/11/22,2026-11-22 16:04:05.250+01:00,1 day 02:03:04.50,"{""b"": [1e21, null], ""a"": ""ß\\u0000\\""""}",L',
  '-9007199254740991.0,4.9e-324,F,00010101,,,,S',
  ' 010 ,-1E-7,,,0001-01-01,"-1 day, 23:59:59.999999","""text""",M',
  '9,1000000000000000000000,,9999-12-31T00:00:00Z,9999-12-31t23:59:59.999999z,,5,',
  '-0,-0.0,,,2026-11-22T15:04:05.2500010Z,-0:00:00,false,',
  '2,,,,,,,',
].join('\n')

beforeAll(async () => {
  server = await startTestServer()
  await server.client.repoCreate({ body: { name: 'things', schema } })
  for (const row of rows) {
    const values = row['more'] === 'text' ? { ...row, more: '"text"' } : row
    await addItem(server.client, 'things', values)
  }
})

afterAll(() => server.close())

async function itemsOf(datasetId: string): Promise<Row[]> {
  const items = await server.client.datasetItemList({ datasetId, page: 0, pageSize: 100 })
  return items.map(({ data }) => data)
}

async function exported(name: string, query: string): Promise<Response> {
  const response = await server.request(`/api/dataset/${name}/export?${query}`)
  expect(response.status).toBe(200)
  return response
}

test('items are what was added, each value sealed by its canonical text', async () => {
  expect(await itemsOf('things')).toEqual(rows)
  const { integrity } = await server.client.datasetItemGet({ datasetId: 'things', itemId: 1 })
  for (const [name, text] of Object.entries(firstTexts)) {
    const size = Buffer.byteLength(text)
    expect(integrity?.[name]).toEqual({ sha256: hash('sha256', text), size })
    const value = await server.request(`/api/dataset/things/item/1/${name}`)
    expect(await value.text()).toBe(text)
  }
})

test('a view shows each as its canonical text, under the same digest', async () => {
  const fields = schema.map(({ name, type }) =>
    type === 'string' ? name : { name, from: name, as: 'string' },
  )
  await server.client.viewCreate({ body: { name: 'texts', base: 'things', fields } })
  const [typed, texts] = await Promise.all(
    ['things', 'texts'].map((datasetId) => server.client.datasetItemGet({ datasetId, itemId: 1 })),
  )
  expect(texts?.data).toEqual(firstTexts)
  expect(texts?.integrity).toEqual(typed?.integrity)
})

test.each([
  ['whole', '007', 'must be written 7'],
  ['whole', '9007199254740992', 'must be a whole number'],
  ['whole', '1.5', 'must be a whole number'],
  ['real', '1.50', 'must be written 1.5'],
  ['real', '-0', 'must be written 0'],
  ['real', 'NaN', 'must be a finite number'],
  ['real', '1e999', 'must be a finite number'],
  ['flag', 'TRUE', 'must be written true'],
  ['day', '2026-02-30', 'must be a day'],
  ['at', '2026-11-22T15:04:05.250Z', 'must be written 2026-11-22T15:04:05.25Z'],
  ['at', '2026-11-22T16:04:05+01:00', 'must be written 2026-11-22T15:04:05Z'],
  ['took', '1:30:00', 'must be written PT1H30M'],
  ['took', 'P1M', 'must be a duration'],
  ['more', '{"b":1, "a":2}', 'must be written {"a":2,"b":1}'],
  ['more', 'null', 'must not be null by itself'],
  ['more', `${'['.repeat(65)}${']'.repeat(65)}`, 'must nest at most 64 levels'],
  ['size', 'XL', 'must be one of "S", "M", "L"'],
])('the API refuses %s: %s, %s', async (name, text, reason) => {
  const { id } = await server.client.insertBegin({ datasetId: 'things' })
  const path = `/api/repo/things/item/${id}/field/${name}`
  const response = await server.request(path, { method: 'POST', body: text })
  expect(response.status).toBe(422)
  const problems = (await bodyOf(response)).details?.problems
  expect(problems).toEqual([{ path: [name], reason: expect.stringContaining(reason) }])
})

const order = (keys: string) => ({ order: keys.split(' ') })
const ids = async (view: object): Promise<number[]> => {
  const { items } = await server.client.viewPreview({
    body: { name: 'v', base: 'things', ...view },
  })
  return items.map(({ id }) => id)
}

test.each<[object, number[]]>([
  [{ where: { whole: { gt: 9 } } }, [1, 3]],
  [{ where: { whole: { between: [-5, 10] } } }, [3, 4, 5, 6]],
  [{ where: { whole: { in: [2, 9007199254740991] } } }, [1, 6]],
  [{ where: { real: { in: [0.1, 1e21, 5e-324] } } }, [1, 2, 4]],
  [{ where: { real: { eq: 0.1 } } }, [1]],
  [{ where: { real: { lt: 0 } } }, [3]],
  [{ where: { flag: { eq: false } } }, [2]],
  [{ where: { flag: { neq: true } } }, [2, 3, 4, 5, 6]],
  [{ where: { day: { gte: '2026-11-22' } } }, [1, 4]],
  [{ where: { at: { gt: '2026-11-22T15:04:05.25Z' } } }, [4, 5]],
  [{ where: { at: { between: ['0001-01-01', '2026-11-22T15:04:05.25Z'] } } }, [1, 3]],
  [{ where: { more: { empty: true } } }, [2, 6]],
  [{ where: { size: { gte: 'M' } } }, [1, 3]],
  [{ where: { size: { lt: 'M' } } }, [2]],
  [order('whole'), [2, 5, 6, 4, 3, 1]],
  [order('-real'), [4, 1, 2, 5, 3, 6]],
  [order('real'), [3, 5, 2, 1, 4, 6]],
  [order('flag'), [2, 1, 3, 4, 5, 6]],
  [order('-day'), [4, 1, 2, 3, 5, 6]],
  [order('at'), [3, 1, 5, 4, 2, 6]],
  [order('-size'), [1, 3, 2, 4, 5, 6]],
])('a view with %j keeps %j', async (view, expected) => {
  expect(await ids(view)).toEqual(expected)
})

test.each([
  [{ whole: { gt: 1.5 } }, 'must be a whole number, not 1.5'],
  [{ whole: { gt: '5' } }, 'must be a whole number, not text'],
  [{ flag: { eq: 1 } }, 'must be true or false, not a number'],
  [{ flag: true }, 'did you mean { eq: true }?'],
  [{ day: { lt: '2026-02-30' } }, 'must be a day'],
  [{ at: { lt: '2026-01-01T00:00:00+01:00' } }, 'must be a date or a moment in UTC'],
  [{ size: { eq: 'XL' } }, 'is none of the choices "S", "M", "L"'],
  [{ more: { eq: 'a' } }, 'the operator "eq" does not fit JSON'],
])('a condition %j is refused: %s', async (where, reason) => {
  const body = { name: 'v', base: 'things', where }
  const refused = await server.client.viewPreview({ body }).catch((error: unknown) => error)
  expect(JSON.stringify((refused as ApiError).body)).toContain(JSON.stringify(reason).slice(1, -1))
})

test('NDJSON and CSV have the values as they are', async () => {
  const ndjson = await (await exported('things', 'format=ndjson')).text()
  const lines = ndjson.trimEnd().split('\n')
  const read = lines.map((line) => {
    const { id: _, createdAt: __, ...row } = JSON.parse(line) as Row
    return row
  })
  expect(read).toEqual(rows)
  expect(lines[2]).toContain(
    '"whole":10,"real":-1e-7,"at":"0001-01-01T00:00:00Z","took":"-PT0.000001S","more":"text"',
  )
  const csv = await (await exported('things', 'format=csv&guard=true')).text()
  const cells = csv.split('\r\n')[1]!.split(',').slice(2)
  expect(cells.join(',')).toBe(
    '9007199254740991,0.1,true,2026-11-22,2026-11-22T15:04:05.25Z,P1DT2H3M4.5S,' +
      '"{""a"":""ß\\u0000\\"""",""b"":[1e+21,null]}",L',
  )
  expect(csv.split('\r\n')[3]).toContain(
    `,10,-1e-7,,,0001-01-01T00:00:00Z,'-PT0.000001S,"""text""",M`,
  )
})

test('Parquet has each type as its own', async () => {
  const file = await (await exported('things', 'format=parquet')).arrayBuffer()
  const read = await parquetReadObjects({ file, compressors })
  expect(read[0]).toMatchObject({
    whole: BigInt(Number.MAX_SAFE_INTEGER),
    real: 0.1,
    flag: true,
    day: new Date('2026-11-22'),
    at: new Date('2026-11-22T15:04:05.250Z'),
    more: { a: 'ß\0"', b: [1e21, null] },
    size: 'L',
  })
})

test('Arrow has each type as its own', async () => {
  const table = await tableFromIPC(exported('things', 'format=arrow'))
  const types = table.schema.fields.map(({ name, type }) => [name, String(type)])
  expect(Object.fromEntries(types)).toMatchObject({
    id: 'Int64',
    createdAt: 'Timestamp<MICROSECOND, UTC>',
    whole: 'Int64',
    real: 'Float64',
    flag: 'Bool',
    day: 'Date32<DAY>',
    at: 'Timestamp<MICROSECOND, UTC>',
    took: 'Duration<MICROSECOND>',
    more: 'Utf8',
    size: 'Utf8',
  })
  expect(table.get(0)!.toJSON()).toMatchObject({
    whole: BigInt(Number.MAX_SAFE_INTEGER),
    real: 0.1,
    flag: true,
    day: Date.parse('2026-11-22'),
    at: Date.parse('2026-11-22T15:04:05.250Z'),
    more: '{"a":"ß\\u0000\\"","b":[1e+21,null]}',
    size: 'L',
  })
})

test('Croissant says what the columns hold', async () => {
  const croissant = JSON.stringify(await (await exported('things', 'format=croissant')).json())
  for (const type of ['Integer', 'Float', 'Boolean', 'Date', 'DateTime', 'Text']) {
    expect(croissant).toContain(`"dataType":"sc:${type}"`)
  }
})

async function imported(
  format: ImportFormat,
  body: string | Uint8Array<ArrayBuffer>,
  name: string,
) {
  await server.client.repoCreate({ body: { name, schema } })
  await wholeImport(server.client, { datasetId: name, format, body })
  return itemsOf(name)
}

describe('imports', () => {
  test.each<ImportFormat>(['ndjson', 'csv', 'tsv', 'parquet', 'zip'])(
    'take an export in %s with every value and its digest',
    { tags: 'long' },
    async (format) => {
      const file = await exported('things', `format=${format}&integrity=true`)
      const bytes = new Uint8Array(await file.arrayBuffer())
      expect(await imported(format, bytes, `from-${format}`)).toEqual(rows)
      const [first] = await server.client.datasetItemList({
        datasetId: `from-${format}`,
        page: 0,
        pageSize: 1,
      })
      const sealed = await server.client.datasetItemGet({
        datasetId: `from-${format}`,
        itemId: first!.id,
      })
      expect(sealed.integrity?.['at']?.sha256).toBe(hash('sha256', '2026-11-22T15:04:05.25Z'))
      expect(sealed.integrity?.['flag']?.sha256).toBe(hash('sha256', 'true'))
    },
  )

  test('take other spellings, and keep the canonical one', async () => {
    expect(await imported('csv', spelled, 'spelled')).toEqual(rows)
  })

  test('take the JSON of NDJSON as it is', async () => {
    const more = [{ more: '5' }, { more: 5 }, { more: 1e20 }, { more: [1e20] }, { more: 'x' }]
    const lines = more.map((row) => `${JSON.stringify({ whole: 1, ...row })}\n`).join('')
    const found = await imported('ndjson', lines, 'as-json')
    expect(found.map((row) => canonicalJson(row['more'] as string))).toEqual(
      more.map((row) => canonicalJson(row.more)),
    )
  })

  test('refuse what is of another kind, with its row and field', async () => {
    await server.client.repoCreate({ body: { name: 'refusing', schema } })
    const body = 'whole,real,flag,day,at,took,more,size\nx,1e999,maybe,2026-02-30,noon,long,[1,XL\n'
    const refused = await server.client
      .importBegin({ datasetId: 'refusing', format: 'csv', body })
      .catch((error: unknown) => error)
    const problems = (refused as ApiError).body?.details?.problems
    expect(problems?.map(({ path }) => path)).toEqual(
      schema.map(({ name }) => expect.arrayContaining([name])),
    )
  })
})
