import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { endOfLastRecord } from '../src/text/record-end.ts'

const utf8 = new TextEncoder()

const quote = '"'

test('a record ends at a line end after an even number of quotes', () => {
  const unit = fc.constantFrom('"', '"', '\n', '\r', '\r\n', 'a', ',', '😀')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      // What follows a CR at the end may be an LF.
      const isEnd = (at: number) =>
        (text[at - 1] === '\n' ||
          (text[at - 1] === '\r' && at < text.length && text[at] !== '\n')) &&
        text.slice(0, at).split('"').length % 2 === 1
      const ends = Array.from({ length: text.length + 1 }, (_, at) => at).filter(isEnd)
      const end = endOfLastRecord(utf8.encode(text), { quote })
      // Any end will do; where there is a line feed outside of quotes, it is the last of these.
      expect(
        ends.length === 0 ? [0] : ends.map((at) => utf8.encode(text.slice(0, at)).length),
      ).toContain(end)
    }),
    { numRuns: 2000 },
  )
})

test('quotes in comments mean nothing, nor do any where there are none', () => {
  const end = (text: string, dialect: { quote: string; comment?: string }) =>
    text.slice(0, endOfLastRecord(utf8.encode(text), dialect))
  const text = '# 5" long\na,"b\nc"\r# no "end\rd'
  expect(end(text, { quote, comment: '#' })).toBe('# 5" long\na,"b\nc"\r# no "end\r')
  expect(end('a,"b\n# c"\nd', { quote, comment: '#' })).toBe('a,"b\n# c"\n')
  expect(end('a\r\n#', { quote, comment: '##' })).toBe('a\r\n')
  expect(end('a\r', { quote, comment: '#' })).toBe('')
  expect(end('5" long\nb', { quote: '' })).toBe('5" long\n')
})

test('one long record of nothing but quotes is looked at once', () => {
  const text = `\n${'""'.repeat(2_000_000)}`
  expect(endOfLastRecord(utf8.encode(text), { quote })).toBe(1)
})
