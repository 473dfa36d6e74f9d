import type { DecodedArray, FileMetaData, SchemaElement, TimeUnit } from 'hyparquet'
import { convert as convertStored, DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { durationText } from '@vitrine/contract/values/duration'
import { arrowDurations } from './arrow-durations.ts'
import { type ConvertLeaf, type NestedNode, nestedColumn } from './nested-column.ts'
import { dateText, momentText, timeText } from './time-text.ts'
import { InvalidValue } from '../invalid-value.ts'

/** Value as hyparquet reads it, before its conversion. */
type Stored = number | bigint | Uint8Array
type Convert = (stored: Stored) => unknown

/** A column of a Parquet file, by its name. */
export type ParquetColumn = {
  name: string
  /** Place of its first chunk in each group of rows: names may be there twice. */
  chunk: number
} & ColumnForm

type ColumnForm =
  | {
      element: SchemaElement
      /** Makes values of what is stored; undefined where these are numbers, truth values or bytes as they are. */
      convert: Convert | undefined
    }
  /** Lists, structs and maps, which are JSON. */
  | { nested: NestedNode }
  /** Why no text says its values, as the end of a sentence about the column. */
  | { unfit: string }

/** The columns of a file, whose schema lists a tree from its root on, each node before what it holds. */
export function parquetColumns(metadata: FileMetaData): ParquetColumn[] {
  const durations = arrowDurations(metadata)
  const [, ...elements] = metadata.schema
  const columns: ParquetColumn[] = []
  let chunk = 0
  for (let at = 0; at < elements.length;) {
    const end = endOfColumn(elements, at)
    const own = elements.slice(at, end)
    const { name } = elements[at]!
    const form = durations.has(name) ? formOfDurations(own, durations.get(name)) : formOf(own)
    columns.push({ name, chunk, ...form })
    chunk += own.filter(({ num_children: children }) => children === undefined).length
    at = end
  }
  return columns
}

/** Makes values of what is stored, which hyparquet does where they are numbers, truth values or bytes. */
export function toValues(
  stored: DecodedArray,
  element: SchemaElement,
  convert: Convert | undefined,
): ArrayLike<unknown> {
  if (convert !== undefined && element.type !== 'INT96') {
    const values = Array<unknown>(stored.length)
    for (let index = 0; index < stored.length; index += 1) {
      values[index] = convert(stored[index] as Stored)
    }
    return values
  }
  const { type, name } = element
  return convertStored(stored, {
    pathInSchema: [name],
    schemaPath: [],
    type: type!,
    element: type === 'INT96' ? { name, type } : element,
    codec: 'UNCOMPRESSED',
    parsers: { ...DEFAULT_PARSERS, ...(convert && { timestampFromNanoseconds: convert }) },
    utf8: false,
  })
}

/** Finds the place behind a node and what it holds. */
function endOfColumn(elements: readonly SchemaElement[], start: number): number {
  let [at, inside] = [start, 1]
  for (; inside > 0 && at < elements.length; at += 1) {
    inside += (elements[at]!.num_children ?? 0) - 1
  }
  return at
}

/** @param digits of a second that the numbers of the column count; undefined where durations lie in lists or structures */
function formOfDurations(
  elements: readonly SchemaElement[],
  digits: number | undefined,
): ColumnForm {
  const [element] = elements as [SchemaElement]
  const isPlain = element.type === 'INT64' && element.repetition_type !== 'REPEATED'
  if (digits === undefined || !isPlain)
    return {
      unfit: 'has durations in lists or structures, whose unit would be lost; write it as text',
    }
  return { element, convert: (units) => durationText(units as bigint, digits) }
}

function formOf(elements: readonly SchemaElement[]): ColumnForm {
  const [element] = elements as [SchemaElement]
  const { num_children: children, repetition_type: repetition, type } = element
  if (children !== undefined || repetition === 'REPEATED') {
    const nested = nestedColumn(elements, leafConverterOf)
    return typeof nested === 'string' ? { unfit: nested } : { nested }
  }
  const convert = type === undefined ? 'is of a type that is not known' : converterOf(element)
  return typeof convert === 'string' ? { unfit: convert } : { element, convert }
}

/** Makes text of bytes, which have no place in JSON otherwise. */
function leafConverterOf(element: SchemaElement): ConvertLeaf | string {
  const { type, logical_type: logical } = element
  if (type === undefined) return 'is of a type that is not known'
  const convert = converterOf(element)
  const isBytes = type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY'
  const hasText = logical?.type === 'UUID' || logical?.type === 'FLOAT16'
  const isShape = logical?.type === 'GEOMETRY' || logical?.type === 'GEOGRAPHY'
  if (isBytes && (isShape || (convert === undefined && !hasText)))
    return 'is of bytes; write it as text'
  return convert
}

const digitsOf: Record<TimeUnit, number> = { MILLIS: 3, MICROS: 6, NANOS: 9 }

/**
 * How values of a type become texts, or why they do not; undefined where they stay what they are
 * (https://github.com/apache/parquet-format/blob/master/LogicalTypes.md).
 */
function converterOf(element: SchemaElement): Convert | string | undefined {
  const { type, converted_type: converted, logical_type: logical } = element
  switch (logical?.type ?? converted) {
    case 'STRING':
    case 'UTF8':
    case 'ENUM':
    case 'JSON':
      return (bytes) => textOf(bytes as Uint8Array)
    case 'DECIMAL': {
      const { scale = 0 } = logical?.type === 'DECIMAL' ? logical : element
      if (!(scale >= 0 && scale <= decimalDigitsMax)) {
        return `is a decimal with ${scale} digits after the point; give it 0 to ${decimalDigitsMax}`
      }
      return (unscaled) => decimalText(unscaled, scale)
    }
    case 'DATE':
      return (days) => dateText(Number(days))
    case 'TIMESTAMP': {
      const { unit, isAdjustedToUTC } = logical as Extract<typeof logical, { type: 'TIMESTAMP' }>
      return isAdjustedToUTC ? moment(digitsOf[unit]) : localMoment(digitsOf[unit])
    }
    case 'TIMESTAMP_MILLIS':
      return moment(3)
    case 'TIMESTAMP_MICROS':
      return moment(6)
    case 'TIME':
      return time(digitsOf[(logical as Extract<typeof logical, { type: 'TIME' }>).unit])
    case 'TIME_MILLIS':
      return time(3)
    case 'TIME_MICROS':
      return time(6)
    case 'INTERVAL':
      return type === 'FIXED_LEN_BYTE_ARRAY' && element.type_length === intervalBytes
        ? intervalText
        : 'is of intervals of another form than three numbers of four bytes; write them as text'
    case 'GEOMETRY':
    case 'GEOGRAPHY':
      // Well-known binary, as it is.
      return (bytes) => bytes
    case 'BSON':
      return 'is of BSON, which no field can hold; write it as JSON'
    default:
      // Nanoseconds of a day and the day, without a zone.
      return type === 'INT96' ? localMoment(9) : undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(bytes: Uint8Array): string | InvalidValue {
  try {
    return utf8.decode(bytes)
  } catch {
    return new InvalidValue('must be valid UTF-8')
  }
}

const intervalBytes = 12

/** Months, days and milliseconds, each in four bytes. */
function intervalText(stored: Stored): string | InvalidValue {
  const { buffer, byteOffset } = stored as Uint8Array
  const view = new DataView(buffer, byteOffset)
  if (view.getUint32(0, true) > 0) return new InvalidValue('has months, whose lengths vary')
  const days = BigInt(view.getUint32(4, true))
  return durationText(days * 86_400_000n + BigInt(view.getUint32(8, true)), 3)
}

const time =
  (digits: number): Convert =>
  (units) =>
    timeText(units as number | bigint, digits)

const localMoment =
  (digits: number): Convert =>
  (units) =>
    momentText(units as number | bigint, digits)

const moment =
  (digits: number): Convert =>
  (units) => {
    const text = momentText(units as number | bigint, digits)
    return typeof text === 'string' ? `${text}Z` : text
  }

/** Longest decimal: PostgreSQL, the widest of the usual engines, computes with 1,000 digits. */
export const decimalDigitsMax = 1000
/** Bytes needed for a decimal of the highest precision. */
const bytesMax = Math.ceil((decimalDigitsMax * Math.log2(10) + 1) / 8)

/** A decimal by its unscaled integer, with as many digits after the point as the column has: `5.00`. */
export function decimalText(
  unscaled: number | bigint | Uint8Array,
  scale: number,
): string | InvalidValue {
  if (unscaled instanceof Uint8Array && unscaled.length > bytesMax) {
    return new InvalidValue(`is a decimal of more than ${decimalDigitsMax} digits`)
  }
  const integer = unscaled instanceof Uint8Array ? twosComplement(unscaled) : BigInt(unscaled)
  if (scale === 0) return String(integer)
  const sign = integer < 0n ? '-' : ''
  const digits = String(integer < 0n ? -integer : integer).padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A signed integer in bytes, the most significant one first. */
function twosComplement(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  let hex = '0x'
  for (const byte of bytes) hex += hexOfByte[byte]
  return BigInt.asIntN(8 * bytes.length, BigInt(hex))
}
