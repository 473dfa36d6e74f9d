import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonProblem } from '../src/values/json-problem.ts'

test.each([
  ['', 'a value is expected at the end'],
  ['{ "no": "Oslo", ', 'a key in double quotes is expected at the end'],
  ['{\n  "a": 1,\n  b: 2\n}', 'a key in double quotes is expected at line 3, column 3'],
  ['{"a" 1}', 'a colon is expected at line 1, column 6'],
  ['{"a":}', 'a value is expected at line 1, column 6'],
  ['{"a":1 "b"', 'a comma or } is expected at line 1, column 8'],
  ['[1 2]', 'a comma or ] is expected at line 1, column 4'],
  ['[1,]', 'a value is expected at line 1, column 4'],
  ['[,', 'a value or ] is expected at line 1, column 2'],
  ['{}\r\nx', 'nothing more is expected at line 2, column 1'],
  ['01', 'nothing more is expected at line 1, column 2'],
  ["{'a':1}", 'a key in double quotes or } is expected at line 1, column 2'],
  ['"a\nb"', 'a double quote, which ends the text, is expected at line 1, column 3'],
  ['["a', 'a double quote, which ends the text, is expected at the end'],
  [
    String.raw`"\x"`,
    String.raw`an escape that JSON has, such as \n, is expected at line 1, column 2`,
  ],
])('%j: %s', (text, problem) => {
  expect(jsonProblem(text)).toBe(problem)
})

test('a text has a JSON problem exactly when JSON.parse refuses it', { tags: 'long' }, () => {
  const spoiled = fc
    .tuple(fc.json(), fc.nat(), fc.nat(3), fc.constantFrom('', ...'{}[],:"\\ 0-.eu\n'.split('')))
    .map(([text, at, length, put]) => {
      const from = at % (text.length + 1)
      return text.slice(0, from) + put + text.slice(from + length)
    })
  const isJson = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  fc.assert(
    fc.property(spoiled, (text) => {
      expect(jsonProblem(text) === undefined).toBe(isJson(text))
    }),
    { numRuns: 3000 },
  )
})
