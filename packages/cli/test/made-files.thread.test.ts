import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportFormat, RepoDescription } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

// Files that programs wrote of one table (made-files/make.*), each imported through HTTP, and by the command line.

type Row = Record<string, unknown>
type MadeFile = {
  /** Options of an import, by names that HTTP and the command line share. */
  options?: { columns?: Record<string, string | null>; delimiter?: string; encoding?: string }
  /** Values of a program that differ from the table, by the place of the row. */
  rows?: Record<string, Row>
}
const folder = join(import.meta.dirname, 'made-files')
const made = JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8')) as {
  schema: RepoDescription['schema']
  rows: Row[]
  files: Record<string, MadeFile>
}

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
})
afterAll(() => here.close())

const rowsOf = async (datasetId: string) =>
  (await here.client().datasetItemList({ datasetId })).map(({ data }) => data)

function expectedRows(changes: Record<string, Row> = {}): Row[] {
  return made.rows.map((row, at) => {
    const entries = Object.entries({ ...row, ...changes['*'], ...changes[at] })
    return Object.fromEntries(entries.filter(([, value]) => value !== null))
  })
}

const formatOf = (file: string) => /\.([a-z]+)(\.gz)?$/.exec(file)![1] as ImportFormat

test('every file of the folder is in the list', () => {
  const there = readdirSync(folder).filter((name) => !/^ma[dk]e\./.test(name))
  expect(Object.keys(made.files).toSorted()).toEqual(there.toSorted())
})

describe.each(Object.entries(made.files))('%s', (file, { options = {}, rows }) => {
  const name = file.replaceAll(/[^a-z0-9]+/gi, '-')

  test('has its rows through HTTP', async () => {
    const datasetId = `${name}-http`
    await here.client().repoCreate({ body: { name: datasetId, schema: made.schema } })
    const body = readFileSync(join(folder, file))
    const input = { datasetId, format: formatOf(file), ...options, body, wait: 60 }
    expect(await here.client().importBegin(input)).toMatchObject({ state: 'done', rows: 4 })
    expect(await rowsOf(datasetId)).toEqual(expectedRows(rows))
  })

  test('has its rows by the command line', async () => {
    const datasetId = `${name}-cli`
    await here.client().repoCreate({ body: { name: datasetId, schema: made.schema } })
    const words = Object.entries(options).flatMap(([option, value]) => [
      `--${option}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    const ended = await here.run(['import', datasetId, join(folder, file), ...words])
    expect(ended).toEqual({ code: 0, stdout: `Added 4 items to ${datasetId}.\n`, stderr: '' })
    expect(await rowsOf(datasetId)).toEqual(expectedRows(rows))
  })
})
