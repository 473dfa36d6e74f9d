import { randomUUID } from 'node:crypto'
import { importFile, openReply, type Client } from '@vitrine/client'
import type { ExportFormat } from '@vitrine/contract'
import { expect } from 'vitest'

/** The formats of exports that an import takes. */
export const roundTripFormats = [
  'ndjson',
  'csv',
  'tsv',
  'parquet',
  'xlsx',
  'zip',
] as const satisfies ExportFormat[]

/**
 * Exports a repository with its digests, imports what came into a new one, and holds that each item is the
 * same, digest by digest. How many items there were.
 */
export async function expectRoundTrip(
  client: Client,
  datasetId: string,
  format: (typeof roundTripFormats)[number],
): Promise<number> {
  const { schema } = await client.datasetGet({ datasetId })
  const copy = `copy-${randomUUID()}`
  await client.repoCreate({ body: { name: copy, schema } })
  const integrity = true
  const exported = await openReply(client, 'datasetExport', { datasetId, format, integrity })
  const state = await importFile(client, copy, await exported.blob(), { format })
  const { totalItems } = await client.datasetCount({ datasetId })
  expect(state).toMatchObject({ state: 'done', rows: totalItems, refusedRows: 0 })
  const original = linesOf(client, datasetId)
  let compared = 0
  for await (const line of linesOf(client, copy)) {
    const { value } = await original.next()
    if (line !== value) expect(line).toBe(value)
    compared += 1
  }
  expect(await original.next()).toMatchObject({ done: true })
  expect(compared).toBe(totalItems)
  await client.repoDelete({ datasetId: copy })
  return totalItems
}

/** Each item without what an import gives. */
async function* linesOf(
  client: Client,
  datasetId: string,
): AsyncGenerator<string, void, undefined> {
  const input = { datasetId, format: 'ndjson', integrity: true } as const
  const reply = await openReply(client, 'datasetExport', input)
  let rest = ''
  for await (const text of reply.body!.pipeThrough(new TextDecoderStream())) {
    // Not by readline, to which a line ends at U+2028 as well.
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const { id, createdAt, ...values } = JSON.parse(line) as Record<string, unknown>
      expect([typeof id, typeof createdAt]).toEqual(['number', 'string'])
      yield JSON.stringify(values)
    }
  }
  expect(rest).toBe('')
}
