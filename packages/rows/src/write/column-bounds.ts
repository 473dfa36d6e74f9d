import type { SchemaElement, Statistics } from 'hyparquet'
import type { NumberBuilder } from './column-builder.ts'
import type { PackedValues } from './byte-dictionary.ts'

type Bounds = Pick<Statistics, 'min_value' | 'max_value'>

/** Bytes of the least and the greatest text that are kept until the end; of longer ones the library writes 16. */
const boundBytes = 64
/** Sixteen bytes of the last code point. */
const greatest = new TextEncoder().encode('\u{10ffff}'.repeat(4))

/**
 * Returns the least and the greatest of texts in the order of their bytes. Of long JSON there are none, as the
 * beginning of it is none, nor of a text that no shorter one is greater than.
 */
export function textBounds(texts: PackedValues, element: SchemaElement): Bounds {
  const { bytes, offsets } = texts
  if (offsets.length === 1) return {}
  let [least, most] = [0, 0]
  for (let index = 1; index < offsets.length - 1; index += 1) {
    if (compare(texts, index, least) < 0) least = index
    else if (compare(texts, index, most) > 0) most = index
  }
  const [min, max] = [least, most].map((index) =>
    bytes.subarray(offsets[index], offsets[index + 1]),
  ) as [Uint8Array, Uint8Array]
  const isJson = element.logical_type?.type === 'JSON'
  const isKept = ({ length }: Uint8Array) => length <= boundBytes || !isJson
  const isGreatest = max.length > boundBytes && greatest.every((byte, at) => max[at] === byte)
  return {
    ...(isKept(min) && { min_value: min.slice(0, boundBytes) }),
    ...(isKept(max) && !isGreatest && { max_value: max.slice(0, boundBytes) }),
  }
}

function compare({ bytes, offsets }: PackedValues, one: number, other: number): number {
  const [from, otherFrom] = [offsets[one]!, offsets[other]!]
  const [length, otherLength] = [offsets[one + 1]! - from, offsets[other + 1]! - otherFrom]
  const shared = Math.min(length, otherLength)
  for (let at = 0; at < shared; at += 1) {
    const difference = bytes[from + at]! - bytes[otherFrom + at]!
    if (difference !== 0) return difference
  }
  return length - otherLength
}

export function numberBounds(values: NumberBuilder['values'], { type }: SchemaElement): Bounds {
  if (values.length === 0) return {}
  let [min, max] = [values[0]!, values[0]!]
  for (const value of values) {
    if (value < min) min = value
    else if (value > max) max = value
  }
  if (type === 'BOOLEAN') return { min_value: min === 1, max_value: max === 1 }
  // The sign of zero does not count, so that readers find both: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
  return { min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max }
}
