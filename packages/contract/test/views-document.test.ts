import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  checkRepoDescription,
  checkView,
  fieldTypes,
  operators,
  operatorsFor,
  type Operator,
  type SchemaField,
} from '../src/index.ts'
import { evaluate, schemaOf } from './reference-evaluator.ts'
import type { SampleItem, SampleValue } from './sample-world.ts'

const text = readFileSync(new URL('../../../docs/views.md', import.meta.url), 'utf8')

/** The cells of every table, its head first. */
const tables = text
  .split(/\n\n/)
  .filter((block) => block.startsWith('|'))
  .map((block) =>
    block
      .split('\n')
      .filter((row) => !row.startsWith('| -'))
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  )

/** Every description in YAML, with the line that says what comes of it. */
const described = [...text.matchAll(/```yaml\n([\s\S]+?)```\n\n([^\n]*)/g)].map(
  ([, yaml, outcome]) => ({ description: parse(yaml!) as { name: string }, outcome: outcome! }),
)

const world = described
  .map(({ description }) => checkRepoDescription(description))
  .filter((checked) => checked.ok)
  .map(({ value: { name, schema } }) => ({ name, schema, items: itemsOf(name, schema) }))

function itemsOf(name: string, schema: SchemaField[]): SampleItem[] {
  const [head, ...rows] = tables.find(([first]) => first![0] === name)!
  return rows.map((cells) => {
    const data: SampleItem['data'] = {}
    for (const field of schema) {
      const value = valueOf(field, cells[head!.indexOf(field.name)]!, cells[0]!)
      if (value !== undefined) data[field.name] = value
    }
    return { id: Number(cells[0]), createdAt: Date.parse(cells[1]!), data }
  })
}

function valueOf(field: SchemaField, cell: string, id: string): SampleValue | undefined {
  if (cell === '—') return undefined
  if (field.type === 'reference') return Number(cell)
  if (field.type === 'string') return cell === "''" ? '' : cell
  const [, mime, size] = /^(\S+), (\d+) bytes$/.exec(cell)!
  const content = size === '0' ? '' : `the image of ${id}`
  return {
    mime: mime!,
    bytes: Number(size),
    sha256: createHash('sha256').update(content).digest('hex'),
  }
}

function outcomeOf(description: { name: string }): string {
  const checked = checkView(description, (name) => schemaOf(world, name))
  if (!checked.ok) {
    const [{ path, reason } = { path: [], reason: '' }] = checked.problems
    return `Refused: ${path.join('.')}: ${reason}`
  }
  const view = { name: description.name, view: checked.value.description }
  const ids = evaluate([...world, view], description.name).map(({ id }) => id)
  return `Keeps ${ids.join(', ')}.`
}

const views = described.filter(({ description }) => 'base' in description)

test('the sample is there, and as many examples', () => {
  expect(world.map(({ name, items }) => [name, items.length])).toEqual([
    ['people', 3],
    ['photos', 5],
  ])
  expect(views.length).toBeGreaterThan(15)
})

test.each(views)('$description.name: $outcome', ({ description, outcome }) => {
  expect(outcomeOf(description)).toBe(outcome)
})

const compared = [...fieldTypes, 'id', 'createdAt', 'length', 'bytes', 'sha256', 'mime'] as const

describe('the table of operators', () => {
  const rows = tables.find(([head]) => head![0] === 'operator')!.slice(1)

  test('matches the operators of the checker', () => {
    const table = Object.entries<Operator>(operators).map(([name, { summary, example }]) => [
      `\`${name}\``,
      compared.filter((type) => operatorsFor(type).some((each) => each.name === name)).join(', '),
      summary,
      `\`${example}\``,
    ])
    expect(rows.map((row) => row.slice(0, 4))).toEqual(table)
  })

  test.each(rows)('%s: %s; %s: %s keeps %s', (_, __, ___, example, keeps) => {
    const where: unknown = parse(example.slice(1, -1))
    const kept = outcomeOf({ name: 'v', base: 'photos', where } as { name: string })
    expect(kept).toBe(`Keeps ${keeps}.`)
    // An example that keeps everything or nothing shows nothing.
    expect(keeps.split(', ').length).toBeLessThan(5)
  })
})

test('the inferred schema is as shown', () => {
  const [, json] = /```json\n([\s\S]+?)```/.exec(text)!
  const captions = views.find(({ description }) => description.name === 'captions')!
  const checked = checkView(captions.description, (name) => schemaOf(world, name))
  expect(checked.ok && checked.value.schema).toEqual(JSON.parse(json!))
})
