import { FieldInference, mimeOf, type InferredColumn } from '@vitrine/client/rows/infer-fields.ts'
import type { SchemaField } from '@vitrine/contract'
import { fileSources } from '../../files/value-source.ts'
import type { PathedFile } from '../../files/pathed-file.ts'
import type { Inferred } from '../../rows/rows-worker.ts'

/** A description of a file of rows, to be edited: what was found stands beside each field. */
export function describeRows(fileName: string, { rows, columns }: Inferred): string {
  const lines = columns.map((column) => {
    const { field, leftOut } = column
    if (field === undefined) return `  # ${oneLine(column.column)} is left out: ${leftOut}`
    return `${fieldLine(field)} # ${found(column)}`
  })
  return describe(stemOf(fileName), `${rows.toLocaleString('en')} rows of ${fileName}`, lines)
}

/** A description of files that each become an item. */
export function describeFiles(files: readonly PathedFile[]): string {
  const inference = new FieldInference()
  inference.add({
    columns: ['name'],
    rows: files.map((pathed, index) => ({
      line: index + 1,
      values: [fileSources.stem.read(pathed)],
    })),
    bytes: 0,
  })
  const mime = mimeOf(new Set(files.map(({ file }) => file.type)))
  const folder = files[0]?.path.split('/').at(-2) ?? 'images'
  return describe(folder, `${files.length.toLocaleString('en')} files`, [
    ...inference.columns.flatMap(({ field }) => (field === undefined ? [] : [fieldLine(field)])),
    fieldLine({ name: mime.startsWith('image/') ? 'image' : 'file', type: 'binary', mime }),
  ])
}

function describe(name: string, about: string, lines: readonly string[]): string {
  return [
    '---',
    `name: ${datasetNameFor(name)}`,
    `# From ${oneLine(about)}`,
    'schema:',
    ...lines,
    '',
  ].join('\n')
}

/** In flow style, one line a field; every part is a plain scalar. */
function fieldLine({ name, optional, ...rest }: SchemaField): string {
  const parts = Object.entries({ name, ...rest, ...(optional === true && { optional }) })
  return `  - { ${parts.map(([key, value]) => `${key}: ${scalar(value)}`).join(', ')} }`
}

/** What needs no quotes: not `image/*`, nor what YAML takes for something other than a text. */
const plainScalar = /^(?!(?:null|true|false|yes|no|on|off|y|n)$)[a-z_][a-z0-9_./+-]*$/i

function scalar(value: string | number | boolean): string {
  return typeof value === 'string' && !plainScalar.test(value)
    ? JSON.stringify(value)
    : String(value)
}

function found({ column, field, longest, missing }: InferredColumn): string {
  const facts = [
    ...(field?.name === column ? [] : [`from ${oneLine(column)}`]),
    ...(field?.type === 'string' ? [`at most ${longest} characters`] : []),
    ...(missing > 0 ? [`absent in ${missing.toLocaleString('en')} rows`] : []),
  ]
  return facts.join(', ') || 'in every row'
}

/** A column may be called anything; a comment is one line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
}

function stemOf(fileName: string): string {
  return fileName.replace(/(?<=.)\.[^.]*$/, '')
}

function datasetNameFor(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 128)
  return plain === '' ? 'data' : scalar(plain)
}
