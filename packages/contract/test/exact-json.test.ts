import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, textOf } from '../src/index.ts'
import { InexactNumber, parseExactJson } from '../src/values/exact-json.ts'

const field = { name: 'j', type: 'json' } as const
const read = (text: string) => textOf(field)!.fromFile(text, field)

describe('a number in JSON is taken', () => {
  test.each([
    '9007199254740991',
    '-9007199254740992',
    // What exports have of doubles that are larger.
    '1546130668394913800',
    '123456789012345680000',
    '1e+23',
    '1.7976931348623157e308',
    '5e-324',
    '-0',
    '0.000e-999',
    // The nearest double has all of the digits.
    '0.1',
    '3.14159265358979323846',
    '1.0000000000000001e300',
    '9007199254740992.0',
  ])('where a double keeps it: %s', (text) => {
    expect(read(text)).toEqual({ ok: true, value: Number(text) })
    expect(read(`{"a":[${text}]}`)).toEqual({ ok: true, value: { a: [Number(text)] } })
  })

  // Beyond 2^53 a double printed as an integer of 17 digits may be another one in canonical JSON: 2^55 is.
  test('when it is printed from a double, as canonical JSON or with 17 digits and an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(read(canonicalJson(number)).ok).toBe(true)
        expect(read(number.toExponential(16)).ok).toBe(true)
      }),
    )
  })
})

describe('a number in JSON is refused', () => {
  test.each([
    '1546130668394913822',
    '-1546130668394913822',
    '9007199254740993',
    '36028797018963968',
    '18446744073709551616',
    '1546130668394913822.0',
    '1.546130668394913822e18',
    '15461306683949138220E-1',
    '1e400',
    '-1e400',
    '1'.repeat(400),
    '1e-400',
    `0.${'0'.repeat(400)}1`,
  ])('where it would be another one: %s', (text) => {
    const source = text.length > 100 ? `${text.slice(0, 99)}…` : text
    const reason = (place: string) =>
      `has the number ${source}${place}, which no 64-bit floating point number keeps: write it as a string`
    expect(read(text)).toEqual({ ok: false, reason: reason('') })
    expect(read(`{"x":[1,{"id":${text}}]}`)).toEqual({ ok: false, reason: reason(' at x.1.id') })
    expect(read(`{"x":"${text}"}`).ok).toBe(true)
  })

  test('wherever it stands among others', () => {
    const large = fc.bigInt({ min: 2n ** 53n, max: 10n ** 21n - 1n })
    fc.assert(
      fc.property(fc.jsonValue(), large, (value, number) => {
        const text = `{"other":${JSON.stringify(value)}, "id" :\t${number}}`
        const { id } = parseExactJson(text) as unknown as { id: number | InexactNumber }
        const kept = String(Number(number)) === String(number)
        expect(id instanceof InexactNumber ? id.source : String(id)).toBe(String(number))
        expect(id instanceof InexactNumber).toBe(!kept)
      }),
    )
  })
})

test.each([
  '{"a":1,"a":1}',
  '[{"b":{"a":1,"\\u0061":2}}]',
  '{"a":{"x":1546130668394913,"x":"1546130668394913822"}}',
])('JSON that names a key twice is refused: %s', (text) => {
  expect(read(text)).toEqual({ ok: false, reason: 'must not have the same key twice' })
})

test('the same key of several objects is none that is there twice', () => {
  expect(read('[{"a":{"a":":,"}},{"a":2}]').ok).toBe(true)
})
