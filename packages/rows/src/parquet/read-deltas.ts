import type { DataReader } from 'hyparquet'
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js'
import type { UnpackBudget } from '../unpacked-bound.ts'

// https://parquet.apache.org/docs/file-format/data-pages/encodings/, the three encodings of deltas.

/** Reads as many whole numbers as the output holds, at least one. */
export function readDeltas<T extends Int32Array | BigInt64Array>(reader: DataReader, output: T): T {
  requireBlocks(reader, output.length)
  deltaBinaryUnpack(reader, output.length, output)
  return output
}

/** Reads byte arrays whose lengths come first. */
export function readDeltaLengths(reader: DataReader, count: number): Uint8Array[] {
  const lengths = readDeltas(reader, new Int32Array(count))
  return Array.from(lengths, (length) => take(reader, length))
}

/** Reads byte arrays each of which begins as the one before: a few bytes may say that all are long. */
export function readDeltaBytes(
  reader: DataReader,
  count: number,
  budget: UnpackBudget,
): Uint8Array[] {
  const prefixes = readDeltas(reader, new Int32Array(count))
  const suffixes = readDeltas(reader, new Int32Array(count))
  let total = 0
  let last = 0
  for (let index = 0; index < count; index += 1) {
    const prefix = prefixes[index]!
    const suffix = suffixes[index]!
    if (prefix < 0 || prefix > last || suffix < 0) throw new Error('a value is cut off')
    last = prefix + suffix
    total += last
  }
  budget.take(total)
  const all = new Uint8Array(total)
  const values: Uint8Array[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    const prefix = prefixes[index]!
    const suffix = take(reader, suffixes[index]!)
    const value = all.subarray(at, at + prefix + suffix.length)
    if (prefix > 0) value.set(values[index - 1]!.subarray(0, prefix))
    value.set(suffix, prefix)
    values.push(value)
    at += value.length
  }
  return values
}

function take(reader: DataReader, length: number): Uint8Array {
  const { view, offset } = reader
  if (length < 0 || offset + length > view.byteLength) throw new Error('a value is cut off')
  reader.offset += length
  return new Uint8Array(view.buffer, view.byteOffset + offset, length)
}

/** A number of 64 bits has so many bytes at most, and so many bits. */
const [varintBytesMax, widthMax] = [10, 64]

/**
 * Requires that blocks of deltas say of themselves what can be: `deltaBinaryUnpack` makes memory for as many
 * small blocks as one has, and numbers of any length.
 */
function requireBlocks({ view, offset }: DataReader, count: number): void {
  let at = offset
  const varint = (): number => {
    let value = 0
    for (let index = 0; index < varintBytesMax; index += 1) {
      const byte = view.getUint8(at)
      at += 1
      value += (byte & 0x7f) * 2 ** (7 * index)
      if (byte < 0x80) return value
    }
    throw new Error('a number has more than 64 bits')
  }
  const blockSize = varint()
  const blocks = varint()
  const size = blockSize / blocks
  if (!(blocks > 0 && blocks <= view.byteLength && size > 0 && size % 32 === 0)) {
    throw new Error(`blocks of deltas have ${blockSize} values in ${blocks} parts`)
  }
  varint()
  varint()
  for (let left = count - 1; left > 0;) {
    varint()
    const widths = at
    at += blocks
    for (let index = 0; index < blocks && left > 0; index += 1, left -= size) {
      const width = view.getUint8(widths + index)
      if (width > widthMax) throw new Error(`deltas have ${width} bits`)
      at += (size * width) / 8
    }
  }
}
