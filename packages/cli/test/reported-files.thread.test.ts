import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '@vitrine/client'
import type { ImportFormat, SchemaField } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wholeImport } from '../../server/test/whole-import.ts'
import { type Installation, openInstallation } from './installation.ts'
import { delimitedFiles } from './reported-files/delimited-files.ts'
import { jsonFiles } from './reported-files/json-files.ts'
import { parquetFiles } from './reported-files/parquet-files.ts'
import { workbooks } from './reported-files/workbooks.ts'

// Files of public reports about other programs, each with what it becomes here. docs/import-export.md lists them.

const reportedFiles = [...workbooks, ...delimitedFiles, ...jsonFiles, ...parquetFiles]

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
})
afterAll(() => here.close())

const rowsOf = async (datasetId: string) =>
  (await here.client().datasetItemList({ datasetId })).map(({ data }) => data)

const formatOf = (file: string) => /\.([a-z]+)(\.gz)?$/.exec(file)![1] as ImportFormat

const toSchema = (fields: Record<string, string>) =>
  Object.entries(fields).map(([name, type]) => {
    return {
      name,
      type: type.replace('?', ''),
      ...(type.endsWith('?') && { optional: true }),
    } as SchemaField
  })

const toFields = (schema: readonly { name: string; type: string; optional?: boolean }[]) =>
  Object.fromEntries(
    schema.map(({ name, type, optional }) => [name, `${type}${optional === true ? '?' : ''}`]),
  )

describe.each(reportedFiles)('$report: $what', (reported) => {
  const { report, name: file, content, options = {}, fields, columns } = reported
  const name = report.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()

  test('through HTTP', async () => {
    const datasetId = `${name}-http`
    await here.client().repoCreate({ body: { name: datasetId, schema: toSchema(fields) } })
    const body = (await content) as Buffer<ArrayBuffer>
    const input = { datasetId, format: formatOf(file), ...options, columns, body }
    if ('refused' in reported)
      return expectRefusal(reported.refused, wholeImport(here.client(), input))
    expect(await wholeImport(here.client(), input)).toMatchObject({ state: 'done' })
    expect(await rowsOf(datasetId)).toEqual(reported.rows)
  })

  test('as a new repository, by the command line', async () => {
    const datasetId = `${name}-cli`
    const path = here.write(file, await content)
    const words = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value])
    const ended = await here.run([
      'import',
      path,
      '--create',
      '--yes',
      '--name',
      datasetId,
      ...words,
    ])
    if ('refused' in reported) {
      expect(ended).toMatchObject({ code: 6, stdout: '' })
      expect(ended.stderr).toContain(reported.refused)
      return
    }
    expect(ended).toMatchObject({ code: 0 })
    const { schema } = await here.client().datasetGet({ datasetId })
    expect(toFields(schema)).toEqual(fields)
    expect(await rowsOf(datasetId)).toEqual(reported.rows)
  })
})

async function expectRefusal(text: string, call: Promise<unknown>): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  expect(error).toBeInstanceOf(ApiError)
  expect((error as ApiError).problems.join('\n')).toContain(text)
}

test('each report stands in the documents', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/import-export.md'), 'utf8')
  const linked = [...document.matchAll(/github\.com\/([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)/g)]
  const listed = linked.map(([, repository, number]) => `${repository}#${number}`)
  expect(listed.toSorted()).toEqual(reportedFiles.map(({ report }) => report).toSorted())
})
