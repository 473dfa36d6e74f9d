import { Text } from '@codemirror/state'
import { emptyDescription, type DatasetInfo } from '@vitrine/contract'
import { describe, expect, test } from 'vitest'
import { repoKind, viewKind, type DescriptionKind } from '../src/describe/description-kind.ts'
import { lintDescription } from '../src/describe/editor/lint-description.ts'
import { DescriptionRefused } from '../src/describe/submit-description.ts'
import type { DatasetLookup } from '../src/describe/suggest/suggest.ts'

const photos: DatasetInfo = {
  name: 'photos',
  createdAt: '2026-01-01T00:00:00.000Z',
  schema: [
    { name: 'title', type: 'string', length: 120 },
    { name: 'image', type: 'binary', mime: 'image/*' },
  ],
  repo: {},
  referencesTo: [],
  referencedBy: [],
}

const lookup: DatasetLookup = {
  names: async () => ['photos'],
  info: async (name) => (name === 'photos' ? photos : undefined),
}

/** What is underlined, with what is said of it. */
async function lint(kind: DescriptionKind, text: string, refusal?: DescriptionRefused) {
  const diagnostics = await lintDescription(Text.of(text.split('\n')), { kind, lookup, refusal })
  return diagnostics.map(({ from, to, message, severity, actions = [] }) => ({
    marked: text.slice(from, to),
    message,
    severity,
    actions: actions.map(({ name }) => name),
  }))
}

describe('while a description is typed', () => {
  test('nothing is said of an empty one', async () => {
    expect(await lint(repoKind, emptyDescription)).toEqual([])
    expect(await lint(viewKind, '')).toEqual([])
  })

  test('the examples are right', async () => {
    expect(await lint(repoKind, repoKind.example)).toEqual([])
    expect(await lint(viewKind, viewKind.example)).toEqual([])
  })

  test('a wrong key is underlined, with the nearest right one', async () => {
    expect(await lint(repoKind, 'nam: a\nschema:\n  - { name: t, type: string }')).toContainEqual({
      marked: 'nam',
      message: 'unknown key "nam"; did you mean "name"?',
      severity: 'error',
      actions: ['Change to name'],
    })
  })

  test('a missing key is named', async () => {
    const said = await lint(repoKind, 'description: a')
    expect(said.map(({ message }) => message)).toEqual(['name is required', 'schema is required'])
  })

  test('what cannot be parsed is underlined', async () => {
    const [first] = await lint(repoKind, 'name: [a')
    expect(first).toMatchObject({ severity: 'error' })
  })

  test('a base and fields that are not there are doubted', async () => {
    expect(await lint(viewKind, 'name: v\nbase: photo')).toMatchObject([
      { marked: 'photo', severity: 'warning', actions: ['Change to photos'] },
    ])
    expect(await lint(viewKind, 'name: v\nbase: photos\nfields: [image, titel]')).toMatchObject([
      { marked: 'titel', severity: 'warning', actions: ['Change to title'] },
    ])
  })

  test('what the server refused is underlined until the text is another', async () => {
    const text = 'name: a\nschema:\n  - { name: t, type: reference, target: nowhere }'
    const from = text.indexOf('nowhere')
    const refusal = new DescriptionRefused('got incorrect data in request', {
      text,
      placed: [{ path: [], reason: 'no such dataset', line: 3, column: 40, from, to: from + 7 }],
    })
    expect(await lint(repoKind, text, refusal)).toMatchObject([
      { marked: 'nowhere', message: 'no such dataset' },
    ])
    expect(await lint(repoKind, `${text}\n`, refusal)).toEqual([])
  })
})
