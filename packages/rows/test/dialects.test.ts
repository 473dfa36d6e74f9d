import { expect, test } from 'vitest'
import { read } from './read-all.ts'

test('cells without quotes can say that they have no value', async () => {
  const text = 'name,n,"NA"\nNA,"NA",1\n,2,NAN\nNA\n'
  expect(await read(text, 'csv', { null: 'NA' })).toEqual({
    names: ['name', 'n', 'NA'],
    rows: [
      { line: 2, values: [null, 'NA', '1'] },
      { line: 3, values: [undefined, '2', 'NAN'] },
      { line: 4, values: [], problem: 'has 1 cell, and the first line has 3' },
    ],
  })
  expect((await read('v\n1\n\\N\n\n', 'csv', { null: '\\N' })).rows).toEqual([
    { line: 2, values: ['1'] },
    { line: 3, values: [null] },
    { line: 4, values: [undefined] },
  ])
})

test('an escape character makes quotes, delimiters and line ends part of the text', async () => {
  const escape = '\\'
  const text = 'a,b\n"say \\"hi\\"","C:\\temp"\n"x ""y"" \\\\",one\\\ntwo\\, three\n\\\\,"1\n2"\n'
  expect((await read(text, 'csv', { escape })).rows).toEqual([
    { line: 2, values: ['say "hi"', 'C:\\temp'] },
    { line: 3, values: ['x "y" \\', 'one\ntwo, three'] },
    { line: 5, values: ['\\', '1\n2'] },
  ])
  const mysql = 'a\tb\r\n1\\\t2\tx\\\r\ny\r\n\\N\t\\\\N\r\n'
  expect((await read(mysql, 'tsv', { escape, quote: 'none', null: '\\N' })).rows).toEqual([
    { line: 2, values: ['1\t2', 'x\r\ny'] },
    { line: 4, values: [null, '\\N'] },
  ])
  // Neither Spark nor MySQL escapes a delimiter within quotes.
  expect((await read('a,b\n"C:\\, D:",x\\,y\n', 'csv', { escape })).rows).toEqual([
    { line: 2, values: ['C:\\, D:', 'x,y'] },
  ])
  await expect(read('a,b\n1,"x\\"\n', 'csv', { escape })).rejects.toThrow('Line 2 has a cell in')
})

test('spaces around the quotes of a cell mean nothing', async () => {
  for (const escape of [undefined, '\\']) {
    const text = 'a, "b, c" ,d\n 1 ,  "x, ""y""" , "" \n'
    const { names, rows } = await read(text, 'csv', { escape })
    expect(names).toEqual(['a', 'b, c', 'd'])
    expect(rows).toEqual([{ line: 2, values: [' 1 ', 'x, "y"', ''] }])
    const open = read('a,b\n1, "x"y\n', 'csv', { escape })
    await expect(open).rejects.toThrow('Line 2 has something between a quote and the end')
    await expect(read('a,b\n1,x "y"\n', 'csv', { escape })).rejects.toThrow('Line 2 has a quote in')
  }
  expect((await read('a "b c"\n1 "x"\n', 'csv', { delimiter: ' ' })).names).toEqual(['a', 'b c'])
})

test('columns need no names', async () => {
  expect(await read('\n1,Ada\n2,"x\ny"\n', 'csv', { header: 'none' })).toEqual({
    names: ['column_1', 'column_2'],
    rows: [
      { line: 2, values: ['1', 'Ada'] },
      { line: 3, values: ['2', 'x\ny'] },
    ],
  })
  const about = { header: 'none', skip: 1, null: 'NA' } as const
  expect(await read('About\n1\tNA\n', 'tsv', about)).toEqual({
    names: ['column_1', 'column_2'],
    rows: [{ line: 2, values: ['1', null] }],
  })
})

test('quotes can mean nothing', async () => {
  const imdb = 'name\trole\n"Weird Al\t"Self\nRobert "Bob" D\t\n'
  expect((await read(imdb, 'tsv', { quote: 'none' })).rows).toEqual([
    { line: 2, values: ['"Weird Al', '"Self'] },
    { line: 3, values: ['Robert "Bob" D', undefined] },
  ])
})
