import {
  type DatasetInfo,
  type Exploration,
  type ShownField,
  exportFormats,
  isPart,
} from '@vitrine/contract'
import type { ExportColumn } from './export-column.ts'

/** https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html */
const conformsTo = 'http://mlcommons.org/croissant/1.1'

const context = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  sc: 'https://schema.org/',
  cr: 'http://mlcommons.org/croissant/',
  rai: 'http://mlcommons.org/croissant/RAI/',
  dct: 'http://purl.org/dc/terms/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  equivalentProperty: 'cr:equivalentProperty',
  examples: { '@id': 'cr:examples', '@type': '@json' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileProperty: 'cr:fileProperty',
  fileObject: 'cr:fileObject',
  fileSet: 'cr:fileSet',
  format: 'cr:format',
  includes: 'cr:includes',
  isLiveDataset: 'cr:isLiveDataset',
  jsonPath: 'cr:jsonPath',
  key: 'cr:key',
  md5: 'cr:md5',
  parentField: 'cr:parentField',
  path: 'cr:path',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  regex: 'cr:regex',
  repeated: 'cr:repeated',
  replace: 'cr:replace',
  samplingRate: 'cr:samplingRate',
  sdVersion: 'cr:sdVersion',
  separator: 'cr:separator',
  source: 'cr:source',
  subField: 'cr:subField',
  transform: 'cr:transform',
}

/** A file at an address. */
export type SentFile = { sha256: string; size: number; contentUrl: string }

/** A file of rows, as it is to be loaded. */
export type RowsFile = {
  rows: { sha256: string; size: number }
  contentUrl: string
  columns: readonly ExportColumn[]
  /** Files of Parquet with the same rows, one after the other. */
  snapshots?: readonly SentFile[]
}

/** Croissant of one dataset whose rows are one file of NDJSON. */
export function describeRows(info: DatasetInfo, file: RowsFile, exploration: Exploration): object {
  return describeDatasets(info, [{ info, ...file }], exploration)
}

/** Croissant of a dataset, or of what is asked of it, and of those that it refers to, each with its file. */
export function describeDatasets(
  { name, description: whole, createdAt, view, repo }: DatasetInfo,
  files: readonly (RowsFile & { info: DatasetInfo })[],
  exploration: Exploration,
): object {
  const description = describePart({ name, description: whole }, exploration)
  const part = (view?.['split'] as { take?: string } | undefined)?.take
  return {
    '@context': context,
    '@type': 'sc:Dataset',
    conformsTo,
    name,
    ...(description !== undefined && { description }),
    ...(typeof repo?.['license'] === 'string' && {
      license: `https://spdx.org/licenses/${repo['license']}.html`,
    }),
    datePublished: createdAt,
    distribution: files.flatMap(({ info, rows, contentUrl, snapshots = [] }) => [
      fileObject(fileId(info.name), { ...rows, contentUrl }, 'application/jsonlines'),
      ...snapshots.map((file, number) => {
        const id = `${info.name}${snapshots.length === 1 ? '' : `-${number}`}.parquet`
        return fileObject(id, file, exportFormats.parquet.mediaType)
      }),
    ]),
    recordSet: [
      ...files.map(({ info, columns }) => recordSet(info, columns, files)),
      ...(part === undefined ? [] : [splits(part)]),
    ],
  }
}

function fileObject(
  id: string,
  { sha256, size, contentUrl }: SentFile,
  encodingFormat: string,
): object {
  return {
    '@type': 'cr:FileObject',
    '@id': id,
    name: id,
    contentUrl,
    contentSize: `${size} B`,
    encodingFormat,
    sha256,
  }
}

function recordSet(
  { name, description, schema }: DatasetInfo,
  columns: readonly ExportColumn[],
  files: readonly { info: DatasetInfo }[],
) {
  return {
    '@type': 'cr:RecordSet',
    '@id': name,
    name,
    ...(description !== undefined && { description }),
    key: { '@id': `${name}/id` },
    field: columns.map((column) => {
      const target = targetOf(schema, column)
      const isThere = files.some(({ info }) => info.name === target)
      return {
        '@type': 'cr:Field',
        '@id': `${name}/${column.name}`,
        name: column.name,
        dataType: column.croissant,
        source: {
          fileObject: { '@id': fileId(name) },
          extract: { column: column.name },
        },
        ...(isThere && { references: { field: { '@id': `${target}/id` } } }),
      }
    }),
  }
}

/** Describes the part of a split that a view takes. */
function splits(part: string) {
  const field = {
    '@type': 'cr:Field',
    '@id': 'splits/name',
    name: 'name',
    dataType: 'sc:Text',
  }
  return {
    '@type': 'cr:RecordSet',
    '@id': 'splits',
    name: 'splits',
    dataType: 'cr:Split',
    key: { '@id': 'splits/name' },
    field: [field],
    data: [{ 'splits/name': part }],
  }
}

function targetOf(schema: readonly ShownField[], { name, type }: ExportColumn): string | undefined {
  return type === 'reference' ? schema.find((field) => field.name === name)?.target : undefined
}

function fileId(name: string): string {
  return `${name}.ndjson`
}

/** Says of a dataset which part of it this is, and in what order, behind its own description. */
function describePart(
  { name, description }: Pick<DatasetInfo, 'name' | 'description'>,
  exploration: Exploration,
): string | undefined {
  const { where, q, order, current } = exploration
  const clauses = [
    ...(where === undefined ? [] : [`where=${JSON.stringify(where)}`]),
    ...(q === undefined ? [] : [`q=${JSON.stringify(q)}`]),
    ...(current === true ? ['current=true'] : []),
  ].join(' and ')
  const sentences = [
    ...(description === undefined ? [] : [description]),
    ...(isPart(exploration) ? [`This is a part of ${name}: the items with ${clauses}.`] : []),
    ...(order === undefined ? [] : [`Their order is ${order.join(', ')}.`]),
  ]
  return sentences.length === 0 ? undefined : sentences.join(' ')
}
