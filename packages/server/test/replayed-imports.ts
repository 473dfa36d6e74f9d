import type { ImportState, SchemaField } from '@vitrine/contract'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Choices } from './choices.ts'
import { jsonRequest, request, said, type Requests } from './replayed-request.ts'

const words = ['a', 'Ä', '=1+1', "'x", '"', 'a,b', 'a\nb', '🦊', '', 'much too long a word', '\0']

type Row = { word: string; see?: number }

/** A repository that files are imported into, well and badly, in one part and in many. */
export function* importRows(choices: Choices, datasetId: string): Requests {
  const schema: SchemaField[] = [
    { name: 'word', type: 'string', length: 10 },
    { name: 'see', type: 'reference', target: datasetId, optional: true },
  ]
  yield jsonRequest('repoCreate', {}, { name: datasetId, schema })
  const keys: string[] = []
  for (let count = 0; count < 8; count += 1) {
    const input = {
      datasetId,
      format: choices.pick(['ndjson', 'csv', 'tsv', 'parquet', 'zip'] as const),
      ...(choices.happens(60) && { mode: choices.pick(['all', 'skip']) }),
      ...(choices.happens(50) && { key: choices.pick(['one', 'two', 'three']) }),
      ...(choices.happens(20) && { columns: { term: 'word', see: null } }),
    }
    const file = write(choices, input.format)
    const cut = choices.below(file.length + 1)
    const inParts = choices.happens(40)
    const begun = yield request('importBegin', inParts ? { ...input, complete: false } : input, {
      body: inParts ? file.slice(0, cut) : file,
    })
    const { key } = begun.status < 300 ? (said(begun) as ImportState) : { key: 'one' }
    keys.push(key)
    const named = { datasetId, importKey: key }
    if (inParts) {
      const rest = { body: file.slice(cut) }
      if (choices.happens(30)) yield request('importAppend', { ...named, offset: cut + 1 }, rest)
      if (choices.happens(20)) yield request('importCancel', named)
      const last = { ...named, offset: cut, complete: true, wait: 60 }
      yield request('importAppend', last, rest)
    }
    yield* follow(choices, { datasetId, importKey: choices.happens(90) ? key : 'nobody' })
  }
  yield request('importList', { datasetId })
  yield request('importList', { datasetId }, { search: 'page=0&pageSize=2' })
  yield request('importList', { datasetId: 'nobody' })
  yield request('importBegin', { datasetId: 'nobody', format: 'csv' }, { body: 'word\na\n' })
  yield request('importBegin', { datasetId }, { search: 'format=xml', body: 'a' })
  yield request('datasetItemList', { datasetId, pageSize: 1000 })
  yield request('datasetExport', { datasetId, format: 'ndjson', integrity: true })
}

function* follow(choices: Choices, named: { datasetId: string; importKey: string }): Requests {
  yield request('importGet', { ...named, wait: 60 })
  yield request('importReport', { ...named, format: choices.pick(['ndjson', 'csv']) })
  if (choices.happens(30)) yield request('importCancel', named)
  if (choices.happens(10)) yield request('importGet', named, { search: 'wait=61' })
}

function write(choices: Choices, format: string): Uint8Array<ArrayBuffer> {
  const good = choices.happens(50)
  const rows = Array.from({ length: choices.below(30) }, (_, index): Row => {
    const word = choices.pick(good ? words.slice(0, -2) : words)
    return choices.happens(20) ? { word, see: good ? 1 : 1 + index * 40 } : { word }
  })
  if (format === 'parquet') {
    const columnData = [
      { name: 'word', data: rows.map(({ word }) => word), type: 'STRING' as const },
    ]
    return new Uint8Array(parquetWriteBuffer({ columnData }))
  }
  const text = format === 'ndjson' ? ndjson(rows) : delimited(rows, format === 'csv' ? ',' : '\t')
  return new TextEncoder().encode(choices.happens(10) ? `${text}{"word":"cut` : text)
}

const ndjson = (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

function delimited(rows: readonly Row[], delimiter: string): string {
  const cells = rows.map(({ word, see = '' }) => [`"${word.replaceAll('"', '""')}"`, String(see)])
  return [['word', 'see'], ...cells].map((row) => `${row.join(delimiter)}\r\n`).join('')
}
