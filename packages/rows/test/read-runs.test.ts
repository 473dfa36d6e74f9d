import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRuns } from '../src/parquet/decode-page.ts'

type Run = { value: number; count: number } | { values: number[] }

/** Numbers in as many bytes as they take, the lowest first. */
function littleEndian(number: bigint, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, at) => Number((number >> BigInt(8 * at)) & 0xffn))
}

function varint(number: number): number[] {
  return number < 0x80 ? [number] : [(number % 0x80) | 0x80, ...varint(Math.floor(number / 0x80))]
}

function encode(runs: readonly Run[], width: number): Uint8Array {
  const bytes = runs.flatMap((run) => {
    if ('value' in run) {
      const value = littleEndian(BigInt(run.value), Math.ceil(width / 8))
      return [...varint(run.count * 2), ...value]
    }
    const groups = run.values.length / 8
    const bits = run.values.reduceRight((all, value) => (all << BigInt(width)) | BigInt(value), 0n)
    return [...varint(groups * 2 + 1), ...littleEndian(bits, groups * width)]
  })
  return Uint8Array.from(bytes)
}

const width = fc.integer({ min: 0, max: 32 })
const encoded = width.chain((bits) => {
  const value = fc.integer({ min: 0, max: 2 ** bits - 1 })
  const packed = fc.array(fc.array(value, { minLength: 8, maxLength: 8 }), { maxLength: 20 })
  const run = fc.oneof(
    fc.record({ value, count: fc.nat(300) }),
    packed.map((groups) => ({ values: groups.flat() })),
  )
  return fc.record({ bits: fc.constant(bits), runs: fc.array(run, { minLength: 1, maxLength: 8 }) })
})

test('numbers of any width are read from runs, as many as are wanted, or refused', () => {
  fc.assert(
    fc.property(encoded, fc.nat(7), fc.nat(5), ({ bits, runs }, unwanted, missing) => {
      const last = runs.at(-1)!
      const all = runs.flatMap((run) =>
        'value' in run ? Array<number>(run.count).fill(run.value) : run.values,
      )
      const bytes = encode(runs, bits)
      const isPadded = 'values' in last && last.values.length > 0
      const wanted = all.slice(0, all.length - (isPadded ? unwanted : 0))
      const output = new Uint32Array(wanted.length)
      readRuns(bytes, bits, output)
      expect([...output]).toEqual(wanted)
      if (missing > 0 && !isPadded && wanted.length > 0 && 'value' in last && last.count > 0) {
        const cut = bytes.subarray(0, -missing)
        expect(() => readRuns(cut, bits, output)).toThrow('a run is cut off')
      }
      if (!isPadded && 'value' in last && last.count > 1) {
        const shorter = new Uint32Array(wanted.length - 1)
        expect(() => readRuns(bytes, bits, shorter)).toThrow('a run is longer than its page')
      }
      expect(() => readRuns(bytes, bits, new Uint32Array(all.length + 1))).toThrow(
        'a run is cut off',
      )
    }),
  )
})
