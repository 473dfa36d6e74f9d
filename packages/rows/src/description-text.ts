import type { SchemaField } from '@vitrine/contract'

/** The text of a description of a repository, to be edited, with a name made of any text. */
export function descriptionText(name: string, about: string, lines: readonly string[]): string {
  return [
    '---',
    `name: ${datasetNameFor(name)}`,
    `# From ${oneLine(about)}`,
    'schema:',
    ...lines,
    '',
  ].join('\n')
}

/** A field in flow style, one line a field; every part is a plain scalar. */
export function fieldLine({ name, optional, ...rest }: SchemaField): string {
  const parts = Object.entries<string | number | boolean | string[]>({
    name,
    ...rest,
    ...(optional === true && { optional }),
  })
  return `  - { ${parts.map(([key, value]) => `${key}: ${scalar(value)}`).join(', ')} }`
}

/** Text that needs no quotes: not `image/*`, nor words that YAML takes for another type. */
const plainScalar = /^(?!(?:null|true|false|yes|no|on|off|y|n)$)[a-z_][a-z0-9_./+-]*$/i

function scalar(value: string | number | boolean | string[]): string {
  if (Array.isArray(value)) return `[${value.map(scalar).join(', ')}]`
  return typeof value === 'string' && !plainScalar.test(value)
    ? JSON.stringify(value)
    : String(value)
}

/** Such as `1 row` or `5,000 rows`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** A column may be called anything; a comment is one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
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
