import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareNatural, compareText, naturalKey } from '../src/index.ts'
import { anyText } from './any-text.ts'
import { naturalTexts } from './natural-texts.ts'

test.each([
  ['img2', 'img10'],
  ['img2', 'img02a'],
  ['img02', 'img2'],
  ['img', 'img0'],
  ['img9.png', 'img10.png'],
  ['a1b9', 'a1b10'],
  ['v1.9.3', 'v1.10.0'],
  ['9', 'a'],
  ['/', '0'],
  ['9', ':'],
  ['99999999999999999999', '100000000000000000000'],
  ['00', '1'],
  ['0', '00'],
])('%j comes before %j', (before, after) => {
  expect(Math.sign(compareNatural(before, after))).toBe(-1)
  expect(Math.sign(compareNatural(after, before))).toBe(1)
})

test('natural order is total: texts are only equal to themselves, and no three go in a circle', () =>
  fc.assert(
    fc.property(naturalTexts, naturalTexts, naturalTexts, (a, b, c) => {
      expect(compareNatural(a, b) === 0).toBe(a === b)
      expect(Math.sign(compareNatural(a, b)) + Math.sign(compareNatural(b, a))).toBe(0)
      const [first, second, third] = [a, b, c].toSorted(compareNatural) as [string, string, string]
      expect(compareNatural(first, third)).toBeLessThanOrEqual(0)
      expect(compareNatural(first, second)).toBeLessThanOrEqual(0)
      expect(compareNatural(second, third)).toBeLessThanOrEqual(0)
    }),
  ))

test('numbers are in the order of numbers, whatever stands around them', () =>
  fc.assert(
    fc.property(fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n }), naturalTexts, (a, b, text) => {
      const after = `x${text}`
      const order = Math.sign(compareNatural(`n${a}${after}`, `n${b}${after}`))
      expect(order).toBe(a < b ? -1 : Number(a > b))
    }),
  ))

test('texts without digits are in the order of code points, and so are texts of the same numbers', () =>
  fc.assert(
    fc.property(anyText(), anyText(), (a, b) => {
      const [x, y] = [a.replaceAll(/[0-9]/g, ''), b.replaceAll(/[0-9]/g, '')]
      expect(naturalKey(x)).toBe(x)
      expect(compareNatural(x, y)).toBe(compareText(x, y))
      expect(Math.sign(compareNatural(`${x}01`, `${x}1`))).toBe(-1)
    }),
  ))
