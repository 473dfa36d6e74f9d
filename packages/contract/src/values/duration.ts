import {
  accept,
  canonicalOnly,
  comparisons,
  readEntered,
  refuse,
  shortBytes,
  trimmed,
  type FieldOf,
  type Read,
  type TextType,
} from './type-definition.ts'

export type DurationField = FieldOf<'duration'>

const noDuration =
  'must be a duration of at most 104249 days, to the microsecond, such as P1DT2H3M4.5S'

const decades = [1, 10, 100, 1000, 10_000, 100_000]
const roundNumbers = decades.flatMap((decade) => [decade, 2 * decade, 5 * decade])

/** Widths that people count time in, as microseconds: up to half a second, 30 seconds, 30 minutes, 12 hours, many days. */
const steps = [
  ...roundNumbers,
  ...[1, 2, 5, 10, 30].map((seconds) => seconds * 1e6),
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * 60e6),
  ...[1, 3, 6, 12].map((hours) => hours * 3600e6),
  ...roundNumbers.map((days) => days * 86_400e6),
]

const units = [
  ['d', 86_400e6],
  ['h', 3600e6],
  ['min', 60e6],
  ['s', 1e6],
  ['ms', 1000],
  ['µs', 1],
] as const

/**
 * A length of time in days of 24 hours. Its text is the canonical one of dayTimeDuration in XML Schema 1.1
 * (https://www.w3.org/TR/xmlschema11-2/#dayTimeDuration), which is ISO 8601 with a sign. It is stored as microseconds, as
 * Arrow, pandas and PostgreSQL do.
 */
export const duration: TextType<DurationField, string> = {
  noun: 'a duration',
  summary: 'a length of time, such as PT1H30M',
  isOrdered: true,
  inferred: { plural: 'durations', comesAsText: () => true },
  scale: 'number',
  steps,
  units,
  operandInput: { example: 'PT1H30M', read: (text) => readEntered(text, readDuration(text)) },
  operators: [...comparisons, 'empty'],
  literal: (input) => {
    const read = readDuration(input)
    return read.ok ? accept(Number(microseconds(read.value))) : read
  },
  text: {
    cell: 'integer',
    toCell: (text) => Number(microseconds(text)),
    fromCell: (cell) => durationText(BigInt(Math.round(Number(cell))), 6),
    toText: (text) => text,
    fromText: (text) => canonicalOnly(text, readDuration(text), String),
    fromFile: readDuration,
    forms:
      'ISO 8601 with weeks, days, hours, minutes and seconds: `P1DT2H3M4.5S`, `PT90M`, `P2W`, `-PT5S`; as databases and Python write it: `1 day 02:03:04.5`, `-1 day, 23:59:55`, `26:03:04`; no months and years, whose lengths vary, and no numbers without a unit',
    maxBytes: shortBytes,
    tooLong: () => noDuration,
  },
}

const iso =
  /^([+-]?)P(?:([+-]?\d{1,12})W)?(?:([+-]?\d{1,12})D)?(?:T(?:([+-]?\d{1,12})H)?(?:([+-]?\d{1,12})M)?(?:([+-]?)(\d{1,12})(?:[.,](\d{1,9}))?S)?)?$/i
/** Days and a clock, which add up whatever their signs: the text of Python, pandas, PostgreSQL and DuckDB. */
const clock =
  /^(?:([+-]?\d{1,9}) days?(?:,? |$))?(?:([+-]?)(\d{1,9}):([0-5]\d):([0-5]\d)(?:[.,](\d{1,9}))?)?$/i

const [second, minute, hour, day] = [1_000_000n, 60_000_000n, 3_600_000_000n, 86_400_000_000n]

function readDuration(input: unknown): Read<string> {
  const micros = typeof input === 'string' ? microseconds(trimmed(input)) : undefined
  return micros === undefined ? refuse(noDuration) : accept(durationText(micros, 6))
}

/** Reads a text as microseconds; undefined where it is no duration, or none that is stored. */
function microseconds(text: string): bigint | undefined {
  const parts = readIso(text) ?? readClock(text)
  if (parts === undefined) return undefined
  const { isNegative, whole, fraction } = parts
  const digits = fraction.replace(/0+$/, '')
  if (digits.length > 6) return undefined
  const rest = BigInt(digits.padEnd(6, '0'))
  const micros = whole + (parts.isFractionNegative ? -rest : rest)
  const size = micros < 0n ? -micros : micros
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return isNegative ? -micros : micros
}

type Parts = { isNegative: boolean; whole: bigint; isFractionNegative: boolean; fraction: string }

function readIso(text: string): Parts | undefined {
  const match = /[pt]$/i.test(text) ? null : iso.exec(text)
  if (match === null) return undefined
  const [
    ,
    sign,
    weeks = 0,
    days = 0,
    hours = 0,
    minutes = 0,
    own = '',
    seconds = 0,
    fraction = '',
  ] = match
  const whole =
    (BigInt(weeks) * 7n + BigInt(days)) * day +
    BigInt(hours) * hour +
    BigInt(minutes) * minute +
    BigInt(`${own}${seconds}`) * second
  return { isNegative: sign === '-', whole, isFractionNegative: own === '-', fraction }
}

function readClock(text: string): Parts | undefined {
  const match = text === '' ? null : clock.exec(text)
  if (match === null) return undefined
  const [, days = 0, sign, hours = 0, minutes = 0, seconds = 0, fraction = ''] = match
  const time = BigInt(hours) * hour + BigInt(minutes) * minute + BigInt(seconds) * second
  const isFractionNegative = sign === '-'
  const whole = BigInt(days) * day + (isFractionNegative ? -time : time)
  return { isNegative: false, whole, isFractionNegative, fraction }
}

/** The canonical text of a number of units, of which a second has 10 to the power of `digits`. */
export function durationText(units: bigint, digits: number): string {
  if (units === 0n) return 'PT0S'
  const size = units < 0n ? -units : units
  const perSecond = 10n ** BigInt(digits)
  const seconds = size / perSecond
  const fraction = String(size % perSecond)
    .padStart(digits, '0')
    .replace(/0+$/, '')
  const rest = fraction === '' || digits === 0 ? '' : `.${fraction}`
  const days = part(seconds / 86_400n, 'D')
  const time =
    part((seconds / 3600n) % 24n, 'H') +
    part((seconds / 60n) % 60n, 'M') +
    (rest === '' ? part(seconds % 60n, 'S') : `${seconds % 60n}${rest}S`)
  return `${units < 0n ? '-' : ''}P${days}${time === '' ? '' : `T${time}`}`
}

function part(count: bigint, unit: string): string {
  return count === 0n ? '' : `${count}${unit}`
}
