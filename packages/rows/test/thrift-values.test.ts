import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasMoreValues } from '../src/parquet/thrift-values.ts'

test.each(['pyarrow.parquet', 'duckdb.parquet'])(
  'values of the footer of %s are counted',
  (name) => {
    const file = readFileSync(join(import.meta.dirname, 'files', name))
    const length = file.readUInt32LE(file.length - 8)
    const footer = file.subarray(file.length - 8 - length, file.length - 8)
    expect(hasMoreValues(footer, length)).toBe(false)
    expect(hasMoreValues(footer, 100)).toBe(true)
    for (const end of [1, 20, length - 1]) {
      expect(() => hasMoreValues(footer.subarray(0, end), length)).toThrow(RangeError)
    }
  },
)

test('structs within each other are followed 32 deep', () => {
  const nested = (depth: number) =>
    new Uint8Array([...Array<number>(depth).fill(0x1c), ...Array<number>(depth + 1).fill(0)])
  expect(hasMoreValues(nested(20), 100)).toBe(false)
  expect(hasMoreValues(nested(1000), 10_000)).toBe(true)
})
