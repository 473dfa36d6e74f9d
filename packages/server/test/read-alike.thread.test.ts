// @module-tag whole
// @module-tag rows

import { UnreadableFile } from '@vitrine/rows/row-batch'
import { readRows } from '@vitrine/rows/read-rows'
import type { TextFormat } from '@vitrine/rows/reading'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'
import { times } from './times.ts'
import { wholeImport } from './whole-import.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const field = { type: 'string', length: 100, optional: true } as const
  const schema = ['a', 'b'].map((name) => ({ name, ...field }))
  await server.client.repoCreate({ body: { name: 'odd', schema } })
})

afterAll(() => server.close())

/** Previews a file as a browser does: its rows, or the error that ends it. */
async function preview(text: string, format: TextFormat) {
  const rows: unknown[] = []
  let refusedRows = 0
  try {
    for await (const batch of readRows(new Blob([text]), { format, delimiter: ',' })) {
      for (const { values, problem } of batch.rows) {
        if (problem !== undefined) refusedRows += 1
        else rows.push(toData(batch.columns.map((name, at) => [name, values[at]])))
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return { unreadable: `line ${error.message.slice('Line '.length)}` }
  }
  return { rows, refusedRows }
}

const toData = (members: [string, unknown][]) =>
  Object.fromEntries(members.filter(([, value]) => value !== undefined && value !== null))

async function importAll(text: string, format: TextFormat) {
  const begun = { datasetId: 'odd', format, mode: 'skip', body: text } as const
  try {
    const { refusedRows, items } = await wholeImport(server.client, begun)
    const exported = await server.client.datasetExport({
      datasetId: 'odd',
      format: 'ndjson',
      ...(items !== undefined && { from: items.from, to: items.to }),
    })
    const lines = (await exported.text()).split('\n').filter((line) => line !== '')
    const rows = lines.map((line) => {
      const { id: _, createdAt: __, ...data } = JSON.parse(line) as Record<string, unknown>
      return data
    })
    return { rows: items === undefined ? [] : rows, refusedRows }
  } catch (error) {
    const { problems } = (await refusal(Promise.reject(error))) as { problems: string[] }
    return { unreadable: problems[0]!.replace(/^row \d+: /, '') }
  }
}

test.each<[TextFormat, head: string, units: string[]]>([
  ['csv', 'a,b\n', ['"', '"', ',', '\n', '\r', 'x', '1']],
  ['ndjson', '', ['{"a":', '"b":', '"', '}\n', '}', ',', '"x"', '\\', '\n', 'null']],
])('a file of %s is imported as it is previewed', async (format, head, units) => {
  const text = fc.string({ unit: fc.constantFrom(...units), maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(text, async (rows) => {
      expect(await importAll(head + rows, format)).toEqual(await preview(head + rows, format))
    }),
    { numRuns: times('READ_ALIKE', { first: 60, whole: 1000 }) },
  )
})
