import type { Json } from './canonical-json.ts'

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
/** https://github.com/tc39/proposal-json-parse-with-source */
const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }

/** A number of a JSON text that would be another one once it is kept. */
export class InexactNumber {
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  /** The number as it is written. */
  get source(): string {
    return this.#source
  }

  /** Is written as it was, where that can be done. */
  toJSON(): unknown {
    return rawJSON?.(this.#source) ?? this.#source
  }
}

/** The beginning of a number that may be inexact: all others have fewer digits, and no exponent. */
const longNumber = /(?:^|[[:,\s-])[0-9.]*(?:[0-9.]{16}|[0-9][eE])/

/** Whether a text may have numbers that `parseExactJson` finds inexact. */
export function mayBeInexact(text: string): boolean {
  return longNumber.test(text)
}

/**
 * Parses JSON, with an `InexactNumber` for each number that would be another one once it is kept as a double,
 * which is written as RFC 8785 §3.2.2.3 has it.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): Json | InexactNumber {
  if (!mayBeInexact(text)) return JSON.parse(text) as Json
  const markInexact: Reviver = (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isExactNumber(source)
      ? new InexactNumber(source)
      : value
  return JSON.parse(text, markInexact as (key: string, value: unknown) => unknown) as Json
}

/**
 * Whether a double keeps a number of JSON as it is written. What has a fraction or an exponent may be rounded to
 * the nearest double, as long as that has all of the written digits; an integer is kept digit by digit.
 */
export function isExactNumber(source: string): boolean {
  const value = Number(source)
  if (!Number.isFinite(value)) return false
  const written = significantDigits(source)
  if (value === 0) return written === ''
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true
  if (significantDigits(String(value)) === written) return true
  const isRounded = /[.eE]/.test(source) && written.length <= precisionMax
  return isRounded && significantDigits(value.toPrecision(written.length)) === written
}

/** Digits that `toPrecision` takes at most. */
const precisionMax = 100

/** Returns the digits of a number without zeros at its beginning and its end. */
function significantDigits(text: string): string {
  return text
    .replace(/[eE].*$/, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '')
    .replace(/0+$/, '')
}
