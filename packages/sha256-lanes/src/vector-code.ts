// WebAssembly as lists of bytes (https://webassembly.github.io/spec/core/binary/): what the arithmetic of
// four words at once is written in.

/** Instructions. */
export type Code = number[]

const unsigned = (number: number): Code =>
  number < 0x80 ? [number] : [(number & 0x7f) | 0x80, ...unsigned(number >>> 7)]
const signed = (number: number): Code =>
  number >= -64 && number < 64 ? [number & 0x7f] : [(number & 0x7f) | 0x80, ...signed(number >> 7)]

const vector = (code: number, ...rest: number[]): Code =>
  code < 0x80 ? [0xfd, code, ...rest] : [0xfd, code, 0x01, ...rest]
const both = (x: Code, y: Code, operation: Code): Code => [...x, ...y, ...operation]
const oneByOne = 0

export const number = (value: number): Code => [0x41, ...signed(value)]
export const less = (x: Code, y: Code) => both(x, y, [0x6b])
export const times = (x: Code, y: Code) => both(x, y, [0x6c])

export const get = (local: number): Code => [0x20, ...unsigned(local)]
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)]

/** The 16 bytes at an address and an offset from it. */
export const load = (address: Code, offset: number): Code => [
  ...address,
  ...vector(0x00, oneByOne, ...unsigned(offset)),
]
export const store = (address: Code, offset: number, value: Code): Code => [
  ...address,
  ...value,
  ...vector(0x0b, oneByOne, ...unsigned(offset)),
]

/** Vector of one word four times. */
export const constant = (word: number) => {
  const each = [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24]
  return vector(0x0c, ...each, ...each, ...each, ...each)
}
/** Bytes of two vectors by their places; those of the second one are counted from 16. */
export const shuffle = (x: Code, y: Code, places: readonly number[]) =>
  both(x, y, vector(0x0d, ...places))
export const replaceWord = (x: Code, lane: number, word: Code) => both(x, word, vector(0x1c, lane))
export const and = (x: Code, y: Code) => both(x, y, vector(0x4e))
export const or = (x: Code, y: Code) => both(x, y, vector(0x50))
export const xor = (x: Code, y: Code) => both(x, y, vector(0x51))
/** Bits of `x` where those of `mask` are set, else those of `y`. */
export const select = (x: Code, y: Code, mask: Code) => [...x, ...y, ...mask, ...vector(0x52)]
export const add = (x: Code, y: Code) => both(x, y, vector(0xae))
export const shiftRight = (x: Code, bits: number) => both(x, number(bits), vector(0xad))
const shiftLeft = (x: Code, bits: number) => both(x, number(bits), vector(0xab))
export const rotate = (x: Code, bits: number) => or(shiftRight(x, bits), shiftLeft(x, 32 - bits))

/** A module with a memory and one function, `run`, that takes numbers and has vectors as its locals. */
export function assemble(
  { parameters, vectors, pages }: { parameters: number; vectors: number; pages: number },
  code: Code,
): Uint8Array<ArrayBuffer> {
  const text = (name: string) => [name.length, ...Buffer.from(name)]
  const section = (id: number, content: number[]) => [id, ...unsigned(content.length), ...content]
  const i32 = 0x7f
  const v128 = 0x7b
  const body = [1, ...unsigned(vectors), v128, ...code, 0x0b]
  return Uint8Array.from([
    ...Buffer.from('\0asm\u0001\0\0\0'),
    ...section(1, [1, 0x60, parameters, ...Array<number>(parameters).fill(i32), 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...unsigned(pages)]),
    ...section(7, [2, ...text('memory'), 2, 0, ...text('run'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ])
}
