import { compareText } from './text.ts'

/**
 * Makes the text whose order by code point is the natural order of a text: digits side by side stand for
 * their number, in front of which go the count of its digits and the count of digits of that count.
 */
export function naturalKey(text: string): string {
  return text.replaceAll(/[0-9]+/g, (digits) => {
    const number = digits.replace(/^0+/, '')
    const count = String(number.length)
    return `${count.length}${count}${number}`
  })
}

/** Compares texts in natural order, so that img2 comes before img10; ties by code point. */
export function compareNatural(a: string, b: string): number {
  return compareText(naturalKey(a), naturalKey(b)) || compareText(a, b)
}
