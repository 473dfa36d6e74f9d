import { expect, test } from 'vitest'
import { exportFileName } from '../src/export/export-kinds.ts'
import { pythonTools, snippetFor } from '../src/export/snippets.ts'

test('a name never leads out of a folder or out of a text of Python', () => {
  expect(exportFileName('../a b"c', {}, 'csv')).toBe('..-a-b-c.csv')
  const text = snippetFor('DuckDB', {
    apiUrl: 'http://localhost:8080',
    datasetId: 'a/b"c',
    exploration: {},
  })
  expect(text).toContain('"http://localhost:8080/api/dataset/a%2Fb%22c/export?format=parquet"')
  expect(text).toContain('open("a-b-c.parquet", "wb")')
})

test('every program of Python downloads with a token and reads the file', () => {
  for (const tool of pythonTools) {
    const text = snippetFor(tool, {
      apiUrl: 'http://localhost:8080',
      datasetId: 'cities',
      exploration: {},
    })
    expect(text).toContain('VITRINE_TOKEN=$(vitrine token)')
    expect(text).toMatch(/"Bearer " \+ os\.environ\["VITRINE_TOKEN"\]/)
    expect(text.split('"cities.parquet"')).toHaveLength(3)
  }
})

test('a name is one word of a shell', () => {
  const shell = (datasetId: string) =>
    snippetFor('Command line', { apiUrl: 'http://localhost:8080', datasetId, exploration: {} })
  expect(shell('cities')).toContain('vitrine export cities --output cities.parquet')
  expect(shell("a'; rm b")).toContain(String.raw`vitrine export 'a'\''; rm b' --output`)
})

test('every program exports with the filter, order and search, into a file named as a part', () => {
  const exploration = { where: { name: { eq: "a'b" } }, order: ['-name', 'id'], q: 'x y' }
  const source = { apiUrl: 'http://localhost:8080', datasetId: 'cities', exploration }
  expect(snippetFor('Command line', source)).toContain(
    String.raw`vitrine export cities --where='{"name":{"eq":"a'\''b"}}' --order='-name,id' --find='x y' ` +
      '--output cities-part.parquet',
  )
  for (const tool of pythonTools) {
    const text = snippetFor(tool, source)
    const { searchParams } = new URL(/"(http:[^"]+)"/.exec(text)![1]!)
    expect(Object.fromEntries(searchParams)).toEqual({
      format: 'parquet',
      where: '{"name":{"eq":"a\'b"}}',
      order: '-name,id',
      q: 'x y',
    })
    expect(text.split('"cities-part.parquet"')).toHaveLength(3)
  }
  expect(exportFileName('cities', { order: ['name'] }, 'csv')).toBe('cities.csv')
})
