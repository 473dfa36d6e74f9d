import { isDay } from './date.ts'
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
  momentInput,
} from './type-definition.ts'

export type TimestampField = FieldOf<'timestamp'>

const noMoment =
  'must be a moment of the years 0001 to 9999, to the microsecond, such as 2026-11-22T15:04:05.25Z'

/**
 * A moment in UTC as RFC 3339 has it, its fraction without zeros at the end. Without the Z at the end the
 * order of texts is that of moments, so that is what is compared.
 */
export const timestamp: TextType<TimestampField, string> = {
  noun: 'a timestamp',
  summary: 'a moment in UTC, such as 2026-11-22T15:04:05.25Z',
  isOrdered: true,
  inferred: { plural: 'timestamps', comesAsText: () => true },
  scale: 'time',
  operandInput: momentInput,
  operators: [...comparisons, 'empty'],
  literal: (input) => {
    const isUtc = typeof input === 'string' && (input.endsWith('Z') || isDay(input))
    const read = readTimestamp(input)
    return isUtc && read.ok
      ? accept(withoutZ(read.value))
      : refuse('must be a date or a moment in UTC, such as 2026-01-31 or 2026-01-31T09:30:00Z')
  },
  text: {
    cell: 'text',
    toCell: withoutZ,
    fromCell: (cell) => `${cell}Z`,
    toText: (moment) => moment,
    fromText: (text) => canonicalOnly(text, readTimestamp(text), String),
    fromFile: readTimestamp,
    forms:
      'ISO 8601 with a `T` or a space: `2026-11-22T15:04:05.25+01:00`, `2026-11-22 15:04 UTC`, `2026-11-22 15:04:05+00`, `2026/11/22 9:04`; without a zone it is UTC; a date is its midnight',
    maxBytes: shortBytes,
    tooLong: () => noMoment,
  },
}

/** Cuts the Z off, as moments are stored and compared. */
export function withoutZ(moment: string): string {
  return moment.slice(0, -1)
}

/**
 * Also as BigQuery and Go write UTC, PostgreSQL the local times of the nineteenth century, and spreadsheets days and hours.
 */
const form =
  /^(\d{4}([-/])\d{2}\2\d{2})(?:[T ](\d{1,2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(Z|(?:\+0000 )?UTC|GMT|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?))?)?$/i

function readTimestamp(input: unknown): Read<string> {
  const parts = typeof input === 'string' ? form.exec(trimmed(input)) : undefined
  if (!parts) return refuse(noMoment)
  const [, date = '', , clock = '00:00', second = '00', digits = '', zone = 'Z'] = parts
  const day = date.replaceAll('/', '-')
  const minute = clock.padStart('00:00'.length, '0')
  const fraction = digits.replace(/0+$/, '')
  const local = isDay(day) && minute < '24:00' ? Date.parse(`${day}T${minute}:${second}Z`) : NaN
  const offset = offsetMs(zone)
  if (Number.isNaN(local) || offset === undefined || fraction.length > 6) return refuse(noMoment)
  const text = new Date(local - offset).toISOString()
  const seconds = text.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)
  if (!/^\d{4}-/.test(seconds) || seconds.startsWith('0000')) return refuse(noMoment)
  return accept(`${seconds}${fraction === '' ? '' : `.${fraction}`}Z`)
}

function offsetMs(zone: string): number | undefined {
  if (!/^[+-]/.test(zone) || /utc$/i.test(zone)) return 0
  const [hours = 0, minutes = 0, seconds = 0] = zone.match(/\d{2}/g)!.map(Number)
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds) * 1000
}
