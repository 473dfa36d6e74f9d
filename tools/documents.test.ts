import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './root.mjs'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Documents as they stand today; the archive of decisions speaks of files of its time. */
const documents = globSync(
  ['*.md', 'docs/*.md', 'docs/decisions/*.md', 'packages/*/*.md', 'python/*.md'],
  {
    cwd: root,
  },
).filter((file) => file !== 'CHANGELOG.md')

const sources = globSync(
  [
    'packages/*/{src,test}/**/*.{ts,tsx,mjs,css}',
    '{bench,e2e,faults,tools}/**/*.{ts,mjs,py}',
    'python/**/*.py',
    'Dockerfile',
    'compose.yaml',
    '.ci/run',
  ],
  { cwd: root, exclude: ['**/node_modules'] },
)

test('documents that code and documents cite are there', () => {
  const missing = [...sources, ...documents].flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/[\w./-]+\.md\b/g)]
      .filter(([cited]) => !existsSync(join(root, cited)))
      .map(([cited]) => `${file}: ${cited}`),
  )
  expect(missing).toEqual([])
})

test('links between documents lead somewhere, to a heading where they name one', () => {
  const broken = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, to = '', heading]) => {
        const target = to === '' ? file : join(dirname(file), to)
        if (!existsSync(join(root, target))) return true
        return heading !== undefined && !headingsOf(target).includes(heading)
      })
      .map(([link]) => `${file}: ${link}`),
  )
  expect(broken).toEqual([])
})

/** Addresses of the headings of a document, as forges make them. */
function headingsOf(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('files that documents name by their whole path are there', () => {
  const path = /`((?:packages|e2e|bench|faults|python|tools)\/[\w./-]+\.\w+)`/g
  const missing = documents.flatMap((file) =>
    [...read(file).matchAll(path)]
      .filter(([, named = '']) => !existsSync(join(root, named)) && !named.includes('/dist/'))
      .map(([named]) => `${file}: ${named}`),
  )
  expect(missing).toEqual([])
})

test('the glossary has each term once, in order, and the code no second name for one', () => {
  const entries = [
    ...read('docs/glossary.md').matchAll(/^\*\*([^*]+)\*\*.*?(?: \(not (.+?)\))? —/gm),
  ]
  const terms = entries.map(([, term = '']) => term.toLowerCase())
  expect(terms).toEqual([...new Set(terms)].toSorted())
  const secondNames = entries.flatMap(([, , names = '']) =>
    [...names.matchAll(/_([^_]+)_/g)].map(([, name = '']) => name),
  )
  expect(secondNames).not.toEqual([])
  const used = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).flatMap((file) => {
    const words = read(file)
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
    return secondNames
      .filter((name) => new RegExp(`\\b${name}s?\\b`).test(words))
      .map((name) => `${file}: ${name}`)
  })
  expect(used).toEqual([])
})

test('the architecture lists the tables of the database', () => {
  const [, body = ''] =
    /^export interface Tables \{\n(.*?)^\}/ms.exec(read('packages/server/src/store/tables.ts')) ??
    []
  const tables = [...body.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)
  const [, section = ''] = /^## The tables\n(.*?)^## /ms.exec(read('docs/ARCHITECTURE.md')) ?? []
  const listed = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
  expect(new Set(listed)).toEqual(new Set(tables))
})

test('decisions are at most fifteen documents, all listed', () => {
  const topics = globSync('[a-z]*.md', { cwd: join(root, 'docs/decisions') })
  expect(topics.length).toBeLessThanOrEqual(15)
  const index = read('docs/decisions/README.md')
  expect(topics.filter((file) => !index.includes(`(${file})`))).toEqual([])
})

test('the variables of the server are all in one table', () => {
  const known = [...read('packages/server/src/config.ts').matchAll(/^ {2}(VITRINE_\w+):/gm)]
  const listed = [...read('docs/operating.md').matchAll(/^\| `(VITRINE_\w+)`/gm)]
  const namesOf = (matches: RegExpExecArray[]) => matches.map(([, name = '']) => name).toSorted()
  expect(namesOf(listed)).toEqual(namesOf(known))
})

test('the README leads to every document', () => {
  const readme = read('README.md')
  const documents = globSync('docs/*.md', { cwd: root })
  expect(documents.filter((file) => !readme.includes(`(${file}`))).toEqual([])
})

test('each file of imports says on which thread it runs', () => {
  const folder = join(root, 'packages/server/src/imports')
  const files = globSync('**/*.ts', { cwd: folder })
  expect(files.length).toBeGreaterThan(30)
  const silent = files.filter((file) => {
    const [first = ''] = readFileSync(join(folder, file), 'utf8').split('\n')
    return !/^\/\/ .*thread/.test(first)
  })
  expect(silent).toEqual([])
})
