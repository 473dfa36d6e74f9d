// @module-tag engines

import { type FieldType, type SchemaField, textOf } from '@vitrine/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { segmentItems } from '../src/search-index/segment-filter.ts'
import { bytes, integer, number } from '../src/store/engine-sql.ts'
import { columnsOf, itemTable } from '../src/store/items.ts'
import { countSegments } from '../src/store/search-slices.ts'
import type { Store } from '../src/store/store.ts'
import { startTestServer, type TestServer } from './server.ts'
import { until } from './until.ts'

/** One whole segment, and some items that are never indexed. */
const size = segmentItems + 1000
const rarePosition = 40_000
const sha256 = (digit: string) => digit.repeat(64)

/** The value of all items but one, that of this one, and two that none has. */
const values = {
  kind: { type: 'reference', common: 1, rare: 3, absent: [4, 5] },
  size: { type: 'integer', common: 1, rare: -7, absent: [8, 9] },
  weight: { type: 'number', common: 0, rare: 1e21, absent: [0.5, 2.5] },
  day: {
    type: 'date',
    common: '2026-01-01',
    rare: '2026-02-28',
    absent: ['2026-03-01', '1999-01-01'],
  },
  moment: {
    type: 'timestamp',
    common: '2026-01-01T00:00:00Z',
    rare: '2026-01-01T00:00:00.25Z',
    absent: ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'],
  },
  took: { type: 'duration', common: 'PT1S', rare: 'PT1M', absent: ['PT2M', 'PT3M'] },
  picture: {
    type: 'binary',
    common: sha256('a'),
    rare: sha256('b'),
    absent: [sha256('c'), sha256('d')],
  },
} satisfies Record<string, { type: FieldType; common: unknown; rare: unknown; absent: unknown[] }>
const names = Object.keys(values) as (keyof typeof values)[]

const schema = names.map((name) => ({
  name,
  type: values[name].type,
  ...(name === 'kind' && { target: 'kinds' }),
  ...(name === 'picture' && { mime: 'image/png' }),
})) as SchemaField[]

function cellOf({ type }: SchemaField, value: string | number): string | number {
  return textOf({ type })?.toCell(value) ?? value
}

/** Adds the items in the database itself, as so many would take a while through the API. */
async function fill(store: Store, repoId: number): Promise<void> {
  const types = { integer, number, text: sql.raw('text') }
  const columns = schema.flatMap((field, index) => columnsOf(field, index))
  const cells = (which: 'common' | 'rare') =>
    schema.flatMap((field) => {
      const cell = cellOf(field, values[field.name as keyof typeof values][which])
      return field.type === 'binary' ? [cell, 'image/png', 1] : [cell]
    })
  await store.write(async (transaction) => {
    const typed = (which: 'common' | 'rare') =>
      cells(which).map((cell, index) => sql`cast(${cell} as ${types[columns[index]!.kind]})`)
    const refs = columns.map(({ name }) => sql.ref(name))
    await sql`
      insert into ${itemTable(repoId)} (position, id, created_at, digests, ${sql.join(refs)})
      with recursive n (n) as (select 0 union all select n + 1 from n where n < ${sql.lit(size - 1)})
      select n, n + 1, 0, cast('' as ${bytes}), ${sql.join(typed('common'))} from n
    `.execute(transaction)
    const changes = typed('rare').map((cell, index) => sql`${refs[index]} = ${cell}`)
    await sql`
      update ${itemTable(repoId)} set ${sql.join(changes)} where position = ${rarePosition}
    `.execute(transaction)
    await transaction
      .updateTable('datasets')
      .set({ next_position: size })
      .where('id', '=', repoId)
      .execute()
  })
}

describe('values of a large repository that are compared as a whole', () => {
  let server: TestServer
  let store: Store
  let repoId: number
  beforeAll(async () => {
    server = await startTestServer()
    const label: SchemaField = { name: 'label', type: 'string', length: 20 }
    await server.client.repoCreate({ body: { name: 'kinds', schema: [label] } })
    await server.client.repoCreate({ body: { name: 'things', schema } })
    store = await server.database.open()
    const { id } = await store.reads
      .selectFrom('datasets')
      .select('id')
      .where('name', '=', 'things')
      .executeTakeFirstOrThrow()
    repoId = id
    await fill(store, repoId)
  })
  afterAll(async () => {
    await store.close()
    await server.close()
  })

  const find = async (name: keyof typeof values, comparison: object) => {
    const operand = name === 'picture' ? { sha256: comparison } : comparison
    const items = await server.client.datasetItemList({
      datasetId: 'things',
      where: { [name]: operand },
      pageSize: 3,
    })
    return items.map(({ id }) => id)
  }
  const rareId = rarePosition + 1

  test('begin to be indexed when one of them is compared', async () => {
    expect(await countSegments(store.reads, repoId)).toBe(0)
    expect(await find('kind', { eq: 3 })).toEqual([rareId])
    await until(async () => (await countSegments(store.reads, repoId)) === 1)
  })

  test.each(names)('of %s are found by the index', async (name) => {
    const { common, rare, absent } = values[name]
    expect(await find(name, { in: [absent[0], rare] })).toEqual([rareId])
    expect(await find(name, { eq: absent[0] })).toEqual([])
    expect(await find(name, { in: [common] })).toEqual([1, 2, 3])
    expect(await find(name, { neq: common })).toEqual([rareId])
  })

  test('are read nowhere where the index says that no block has them', async () => {
    await store.write((transaction) =>
      transaction
        .updateTable('search_slices')
        .set({ slices: Buffer.alloc(64) })
        .execute(),
    )
    for (const name of names) {
      const { rare, absent } = values[name]
      expect(await find(name, { in: [absent[1], rare] }), name).toEqual([])
      expect(await find(name, { neq: absent[0] }), name).toEqual([1, 2, 3])
    }
  })
})
