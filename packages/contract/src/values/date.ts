import {
  accept,
  canonicalOnly,
  comparisons,
  refuse,
  shortBytes,
  trimmed,
  type FieldOf,
  type Read,
  type TextType,
} from './type-definition.ts'

export type DateField = FieldOf<'date'>

const noDate = 'must be a day of the years 0001 to 9999, such as 2026-11-22'

/** A day is its text, whose order is that of days. */
export const date: TextType<DateField, string> = {
  noun: 'a date',
  summary: 'a day, such as 2026-11-22',
  isOrdered: true,
  inferred: { plural: 'dates', comesAsText: () => true },
  scale: 'time',
  operandInput: { example: '2026-01-31', read: (text) => text.trim() },
  operators: [...comparisons, 'empty'],
  literal: (input) => (typeof input === 'string' && isDay(input) ? accept(input) : refuse(noDate)),
  text: {
    cell: 'text',
    toCell: (day) => day,
    fromCell: String,
    toText: (day) => day,
    fromText: (text) => canonicalOnly(text, readDate(text), String),
    fromFile: readDate,
    forms:
      '`2026-11-22`, `2026/11/22`, `20261122`; a moment at midnight in UTC, `2026-11-22T00:00:00`, `2026-11-22 00:00:00 UTC`',
    maxBytes: shortBytes,
    tooLong: () => noDate,
  },
}

const forms =
  /^(\d{4})([-/]?)(\d{2})\2(\d{2})(?:[T ]0?0:00(?::00(?:\.0+)?)?(?: ?(?:Z|(?:\+0000 )?UTC|GMT|\+00(?::?00)?))?)?$/i

function readDate(input: unknown): Read<string> {
  const parts = typeof input === 'string' ? forms.exec(trimmed(input)) : undefined
  const day = parts && `${parts[1]}-${parts[3]}-${parts[4]}`
  return day && isDay(day) ? accept(day) : refuse(noDate)
}

/** Whether a text is a day of the Gregorian calendar, of the years 0001 to 9999. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false
  const at = Date.parse(text)
  // The 31st of a shorter month is read as a day of the next one.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
