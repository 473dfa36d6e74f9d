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
  items: async () => [],
}

/** Lints a description; returns what is underlined, with the messages. */
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

  test('invalid YAML gives an error', async () => {
    const [first] = await lint(repoKind, 'name: [a')
    expect(first).toMatchObject({ severity: 'error' })
  })

  test.each([
    ['base: photo', 'photo', 'photos'],
    ['base: photos\nfields: [image, titel]', 'titel', 'title'],
    ['base: photos\nwhere: { titel: { eq: a } }', 'titel', 'title'],
    ['base: photos\nwhere:\n  any:\n    - title: { contians: a }', 'contians', 'contains'],
    ['base: photos\norder: [-titel]', '-titel', 'title'],
    ['base: photos\nsplit: { parts: { train: 1 }, take: trian }', 'trian', 'train'],
  ])('an unknown name is underlined with a suggested change in %j', async (text, marked, right) => {
    expect(await lint(viewKind, `name: v\n${text}`)).toMatchObject([
      { marked, severity: 'error', actions: [`Change to ${right}`] },
    ])
  })

  test('a name that is still to come hides nothing else', async () => {
    const said = await lint(viewKind, 'name:\nbase: photos\nwhere: { image: { eq: a } }')
    expect(said.map(({ message }) => message)).toEqual([
      'name must be text, not empty',
      expect.stringMatching(/^the operator "eq" does not fit a binary/),
    ])
  })

  test('a slip in one clause hides none in another', async () => {
    const said = await lint(
      viewKind,
      'name: v\nbase: photos\nwhere: { title: { contians: a } }\norder: [titel]',
    )
    expect(said.map(({ marked }) => marked)).toEqual(['contians', 'titel'])
  })

  test('a base that has a field of an unknown type is let be', async () => {
    const info = { ...photos, schema: [{ name: 'at', type: 'place' }] }
    const context = { kind: viewKind, lookup: { ...lookup, info: async () => info } }
    const doc = Text.of(['name: v', 'base: photos', 'fields: [nowhere]'])
    expect(await lintDescription(doc, { ...context, refusal: undefined })).toEqual([])
  })

  test('the part that the server refused is underlined until the text changes', async () => {
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
