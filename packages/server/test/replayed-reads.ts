import type { SchemaField } from '@vitrine/contract'
import * as fc from 'fast-check'
import { evaluate, schemaOf } from '../../contract/test/reference-evaluator.ts'
import type { World } from '../../contract/test/sample-world.ts'
import { viewOn } from '../../contract/test/view-arbitrary.ts'
import type { Choices } from './choices.ts'
import { jsonRequest, request, type Requests } from './replayed-request.ts'

const texts = fc.constantFrom('', 'a', 'A', 'ß', 'ss', 'Σ', '10', '😀', '%', '_', '\\', "'")

const pages = ['0', '1', '2', '5', '1099511627776', '1099511627777', '-1', '', 'x', '1.5', '01']
const pageSizes = ['1', '2', '3', '7', '20', '1000', '1001', '0', 'x']
const ranges = [
  'bytes=0-0',
  'bytes=1-',
  'bytes=-2',
  'bytes=5-2',
  'bytes=999-',
  'bytes=0-1,3-4',
  'x',
]
const conditions = ['{', '[]', '{}', '{"nobody":{"eq":1}}', '{"id":{"eq":"a"}}', '{"id":1}', 'null']
const searchSorts = [
  'name',
  '-name',
  'createdAt',
  '-createdAt',
  'items',
  '-items',
  '-addedAt',
  'size',
]
const exportFormats = ['ndjson', 'csv', 'tsv', 'parquet', 'zip', 'croissant', 'xml']

/** One read of a dataset of a world, or of what is not there. */
export function* readDataset(choices: Choices, world: World, name: string): Requests {
  const known = schemaOf(world, name)!
  const dataset = { datasetId: choices.happens(3) ? 'nobody' : name }
  const item = { ...dataset, itemId: itemId(choices, world, name) }
  const field = { ...item, fieldName: fieldName(choices, known) }
  const kinds = [
    () => request('datasetGet', dataset),
    () => request('datasetItemList', dataset, { search: pageQuery(choices) }),
    () => request('datasetItemList', dataset, { search: pageQuery(choices) }),
    () => request('datasetItemList', dataset, { search: exploration(choices, world, name) }),
    () => request('datasetItemList', dataset, { search: exploration(choices, world, name) }),
    () => request('datasetCount', dataset, { search: whereQuery(choices, world, name) }),
    () => request('datasetCount', dataset),
    () => request('datasetSummary', dataset, { search: whereQuery(choices, world, name) }),
    () => request('datasetLabelList', dataset, { search: labelQuery(choices, world, name) }),
    () => request('datasetSearch', {}, { search: searchQuery(choices, name) }),
    () => request('datasetItemGet', item),
    () => request('datasetItemGet', item),
    () => request('datasetItemGet', item, { method: 'HEAD' }),
    () => request('datasetFieldGet', field),
    () => request('datasetFieldGet', field, { headers: { range: choices.pick(ranges) } }),
    () => request('datasetFieldGet', field, { headers: { 'if-none-match': '*' } }),
    () => request('datasetFieldGet', field, { method: 'HEAD' }),
    () => request('datasetExport', dataset, { search: exportQuery(choices) }),
    () => {
      const search = joined([exportQuery(choices), asked(choices, world, name)])
      return request('datasetExport', dataset, { search })
    },
    () =>
      request(
        choices.pick(['datasetList', 'repoList', 'viewList']),
        {},
        { search: pageQuery(choices) },
      ),
    () => preview(choices, world, name),
    () => preview(choices, world, name),
    () => other(choices, name),
  ]
  yield choices.pick(kinds)()
}

function itemId(choices: Choices, world: World, name: string): string | number {
  const ids = evaluate(world, name).map(({ id }) => id)
  const strange = ['0', '01', '-1', 'x', '9007199254740993', '1.0', '999']
  return ids.length === 0 || choices.happens(20) ? choices.pick(strange) : choices.pick(ids)
}

function fieldName(choices: Choices, schema: readonly SchemaField[]): string {
  return choices.happens(10) ? 'nobody' : choices.pick(schema).name
}

function pageQuery(choices: Choices): string {
  const parts = [
    choices.happens(70)
      ? `page=${choices.pick(choices.happens(70) ? pages.slice(0, 3) : pages)}`
      : '',
    choices.happens(70) ? `pageSize=${choices.pick(pageSizes)}` : '',
    choices.happens(8) ? 'pages=1' : '',
  ]
  return joined(parts)
}

function labelQuery(choices: Choices, world: World, name: string): string {
  const ids = Array.from({ length: choices.below(4) }, () => itemId(choices, world, name))
  return `ids=${ids.join(',')}`
}

function searchQuery(choices: Choices, name: string): string {
  const parts = [
    choices.happens(60)
      ? `q=${choices.pick([name, name.slice(0, 2), 'nobody', 'a', '%', ''])}`
      : '',
    choices.happens(30) ? `kind=${choices.pick(['repo', 'view', 'other'])}` : '',
    choices.happens(50) ? `sort=${choices.pick(searchSorts)}` : '',
    choices.happens(30) ? pageQuery(choices) : '',
  ]
  return joined(parts)
}

type Clauses = { where?: unknown; order?: string | string[] }

/** Clauses of a view that could be there. */
function clausesOn(choices: Choices, world: World, name: string): Clauses {
  // A view on the newest of a world that ends with this dataset is most often one on it.
  const until = world.slice(0, world.findIndex((each) => each.name === name) + 1)
  const dataset = choices.sample(viewOn(until, texts))
  return 'view' in dataset && dataset.view.base === name ? dataset.view : {}
}

function whereQuery(choices: Choices, world: World, name: string): string {
  const { where } = clausesOn(choices, world, name)
  if (choices.happens(10)) return `where=${encodeURIComponent(choices.pick(conditions))}`
  return where === undefined ? '' : `where=${encodeURIComponent(JSON.stringify(where))}`
}

function exploration(choices: Choices, world: World, name: string): string {
  return joined([asked(choices, world, name), pageQuery(choices)])
}

function asked(choices: Choices, world: World, name: string): string {
  const { order } = clausesOn(choices, world, name)
  const keys = choices.happens(5) ? ['nobody'] : [order ?? []].flat()
  const parts = [whereQuery(choices, world, name)]
  if (choices.happens(25)) parts.push(`q=${encodeURIComponent(choices.sample(texts))}`)
  if (keys.length > 0) parts.push(`order=${encodeURIComponent(keys.join())}`)
  return joined(parts)
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('&')
}

function exportQuery(choices: Choices): string {
  const parts = [
    `format=${choices.pick(exportFormats)}`,
    choices.happens(40) ? `from=${choices.pick(['0', '1', '5', '99', '-1'])}` : '',
    choices.happens(40) ? `to=${choices.pick(['0', '3', '99', 'x'])}` : '',
    choices.happens(40) ? `integrity=${choices.pick(['true', 'false', 'yes'])}` : '',
    choices.happens(30) ? `guard=${choices.pick(['true', 'false'])}` : '',
  ]
  return joined(parts)
}

function preview(choices: Choices, world: World, base: string) {
  const until = world.slice(0, world.findIndex((each) => each.name === base) + 1)
  const dataset = choices.sample(viewOn(until, texts))
  const { view } = dataset as Extract<typeof dataset, { view: unknown }>
  const body = { ...view, name: 'previewed' }
  return jsonRequest('viewPreview', {}, choices.happens(15) ? spoil(choices, body) : body)
}

/** A description that says something that it must not. */
export function spoil(choices: Choices, description: object): unknown {
  return choices.pick([
    { ...description, base: 'nobody' },
    { ...description, name: '-' },
    { ...description, wher: {} },
    { ...description, schema: 1 },
    { ...description, order: ['nobody'] },
    { ...description, limit: 0 },
    { ...description, fields: [] },
    { ...description, where: { nobody: { eq: 1 } } },
    [],
    '{"name":',
  ])
}

function other(choices: Choices, name: string) {
  return {
    call: 'other' as const,
    ...choices.pick([
      { method: 'GET', path: '/api/nothing' },
      { method: 'PUT', path: `/api/dataset/${name}` },
      { method: 'DELETE', path: `/api/dataset/${name}/item` },
      { method: 'GET', path: `/api/dataset/${name}%00` },
      { method: 'GET', path: '/api/dataset/%FF' },
      { method: 'GET', path: `/api/dataset/${name}`, headers: { authorization: '' } },
      { method: 'GET', path: `/api/dataset/${name}`, headers: { authorization: 'Bearer x' } },
      { method: 'GET', path: '/api/openapi.json' },
      { method: 'POST', path: `/api/view/${name}` },
    ]),
  }
}
