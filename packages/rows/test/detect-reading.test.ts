import { describe, expect, test } from 'vitest'
import { readRows } from '../src/read-rows.ts'
import type { TextFormat } from '../src/reading.ts'
import { UnreadableFile } from '../src/row-batch.ts'

describe('how a file is read is found out', () => {
  const readingOf = async (text: string, format: 'csv' | 'tsv' = 'csv') => {
    for await (const batch of readRows(new Blob([text]), { format, isDetected: true })) {
      return { ...batch.reading, names: batch.columns, rows: batch.rows.length }
    }
    return undefined
  }
  const rows = (count: number, row: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => row(at)).join('\n')

  test.each([
    ['a,b\n1,"x\ny"\n', 'csv', { delimiter: ',' }],
    ['#,b\n1,2\n3,4\n', 'csv', { delimiter: ',' }],
    ['name\n"x"\n', 'csv', { delimiter: ',' }],
    ['a\tb\n"Weird Al\tx\nBob "B" C\ty\n', 'tsv', { delimiter: '\t', quote: 'none' }],
    ['a\tb\n5" disk\tx\n', 'tsv', { delimiter: '\t', quote: 'none' }],
    ['Cities "in 2026"\nof a register\na;b\n1;2\n', 'csv', { delimiter: ';', skip: 2 }],
    ['##v=4\n##x,y,z\n#a\tb\n1\t2\n', 'tsv', { delimiter: '\t', comment: '##' }],
    ['# one, two\na,b\n1,2\n# end\n', 'csv', { delimiter: ',', comment: '#' }],
    ['About\na\tb\n1\t2" x\n', 'tsv', { delimiter: '\t', quote: 'none', skip: 1 }],
    ['sep=;\nAbout\n', 'csv', { delimiter: ';' }],
    ['a,b\n1,"say \\"hi, there\\""\n', 'csv', { delimiter: ',', escape: '\\' }],
    ['a,b\n1,"C:\\"\n', 'csv', { delimiter: ',' }],
    ['a\tb\n1\tx\n\\N\t\\N\n', 'tsv', { delimiter: '\t', null: '\\N' }],
    ['a,b\n1,NA\nNA,x\n', 'csv', { delimiter: ',', null: 'NA' }],
    ['a,b\n1,2026-11-22\n2,NULL\n', 'csv', { delimiter: ',', null: 'NULL' }],
    ['code,n\nNA,1\nDE,2\n', 'csv', { delimiter: ',' }],
    ['n,"m"\n"NA",1\n3,2\n', 'csv', { delimiter: ',' }],
    [
      `a\tb\n"x\ty\n${rows(20_000, (at) => `${at}\tz`)}\n`,
      'tsv',
      { delimiter: '\t', quote: 'none' },
    ],
  ] as const)('%j', async (text, format, reading) => {
    const { names: _, rows: __, ...found } = (await readingOf(text, format))!
    expect(found).toEqual(reading)
  })

  test.each([
    ['a row with a cell too many', 'a,b\n1,2\n1,2,3\n4,5\n6,7\n'],
    ['names for all cells but the first', 'a,b\n1,2,3\n4,5,6\n'],
    ['a cell without its other quote', 'a,b\n"x","y"\n"z,"w"\n"v","u"\n'],
    ['a name of one character', '#,b\n1,2,3\n4,5,6\n'],
    ['a title with a delimiter', 'Report, 2026\na,b,c\n1,2,3\n'],
  ])('but not where there is %s', async (_what, text) => {
    const isWhole = await readingOf(text).then(
      (found) => [found!.quote, found!.comment, found!.skip].every((each) => each === undefined),
      (error: unknown) => error instanceof UnreadableFile,
    )
    expect(isWhole).toBe(true)
  })

  test('but not an option that is given', async () => {
    const given = { format: 'csv', isDetected: true, skip: 0 } as const
    for await (const { reading } of readRows(new Blob(['About\na;b\n1;2\n']), given)) {
      expect(reading).toEqual({ delimiter: ',', skip: 0 })
    }
  })
})

async function namesOf(text: string, format: TextFormat, delimiter: string | undefined) {
  for await (const { columns } of readRows(new Blob([text]), { format, delimiter })) return columns
  return []
}

test('the delimiter between cells is detected unless it is given', async () => {
  const widthOf = async (text: string, format: TextFormat, delimiter?: string) =>
    (await namesOf(text, format, delimiter)).length
  expect(await widthOf('a;b;c\n1,5;2,5;x\n', 'csv')).toBe(3)
  expect(await widthOf('a|b\n1|2\n', 'csv')).toBe(2)
  expect(await widthOf('a\tb\n1\t2\n', 'csv')).toBe(2)
  expect(await widthOf('a,b\n1,2\n', 'tsv')).toBe(2)
  expect(await widthOf('a,b\n"1;2;3",2\n', 'csv')).toBe(2)
  expect(await widthOf('name\nx\n', 'csv')).toBe(1)
  expect(await widthOf('a;b\n1;2\n', 'csv', ',')).toBe(1)
  expect(await widthOf('day;id;name\nMay 1, 2026;1\n', 'csv')).toBe(3)
  expect(await widthOf('a,b\n1;2;3,4,5\n', 'csv')).toBe(2)
  expect(await widthOf('name\na;b\nc\n', 'csv')).toBe(1)
  const cutOff = 'a;b;c\n1;2;3\n4;5'
  expect(await widthOf(cutOff, 'csv')).toBe(3)
})
