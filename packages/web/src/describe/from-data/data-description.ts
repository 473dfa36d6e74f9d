import { FieldInference, mimeOf, type InferredColumn } from '@vitrine/client/rows/infer-fields.ts'
import { octetStream, type SchemaField } from '@vitrine/contract'
import { fileSources } from '../../files/value-source.ts'
import type { PathedFile } from '../../files/file-with-path.ts'
import type { Inferred } from '../../rows/rows-worker.ts'

/** A description of a file of rows, to be edited: what was found stands beside each field. */
export function describeRows(fileName: string, { rows, unreadable, columns }: Inferred): string {
  const lines = columns.map((column) => {
    const { field, leftOut } = column
    if (field === undefined) return `  # ${oneLine(column.column)} is left out: ${leftOut}`
    return `${fieldLine(field)} # ${found(column)}`
  })
  const refused = unreadable === 0 ? '' : `; ${counted(unreadable, 'row')} cannot be read`
  return describe(stemOf(fileName), `${counted(rows, 'row')} of ${fileName}${refused}`, lines)
}

/**
 * A description of files that each become an item. Where there are images it is of these: what else lies
 * in their folder, such as a README, does not make them files of any kind.
 */
export async function describeFiles(all: readonly PathedFile[]): Promise<string> {
  const images = all.filter(({ file }) => file.type.startsWith('image/'))
  const files = images.length > 0 ? images : all
  const inference = new FieldInference()
  inference.add({
    columns: ['name'],
    rows: files.map((pathed, index) => ({
      line: index + 1,
      values: [fileSources.stem.read(pathed)],
    })),
    bytes: 0,
  })
  const columns = await inference.infer()
  const mime = mimeOf(new Set(files.map(({ file }) => file.type || octetStream)))
  return describe(folderOf(all) ?? 'images', aboutFiles(files.length, all.length), [
    ...columns.flatMap(({ field }) => (field === undefined ? [] : [fieldLine(field)])),
    fieldLine({ name: mime.startsWith('image/') ? 'image' : 'file', type: 'binary', mime }),
  ])
}

/** The folder that all files are in, which is what was chosen. */
function folderOf(files: readonly PathedFile[]): string | undefined {
  const outermost = new Set(
    files.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : undefined)),
  )
  const [folder] = outermost
  return outermost.size === 1 ? folder : undefined
}

function aboutFiles(described: number, all: number): string {
  if (described === all) return counted(all, 'file')
  const others = counted(all - described, 'other file')
  return `${counted(described, 'image')}; ${others} would be refused`
}

/** Such as `1 row` or `5,000 rows`. */
function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
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
    ...(field?.type === 'string' ? [`at most ${counted(longest, 'character')}`] : []),
    ...(missing > 0 ? [`absent in ${counted(missing, 'row')}`] : []),
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
