import { expect, test } from 'vitest'
import { nextPartBytes, partsOf } from '../src/files/import-parts.ts'

test('parts grow to what a second takes, and never below what a slow reply is worth', () => {
  const MiB = 1024 * 1024
  expect(nextPartBytes(MiB, 10)).toBe(2 * MiB)
  expect(nextPartBytes(4 * MiB, 2000)).toBe(2 * MiB)
  expect(nextPartBytes(MiB, 60_000)).toBe(MiB)
  expect(nextPartBytes(16 * MiB, 10)).toBe(16 * MiB)
})

async function* stream(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield new TextEncoder().encode(chunk)
}

const text = async (part: Promise<{ body: Uint8Array; isLast: boolean }>) => {
  const { body, isLast } = await part
  return [new TextDecoder().decode(body), isLast]
}

test.each([
  ['a file', () => new Blob(['abcd', 'efghij'])],
  ['a stream', () => stream('ab', '', 'cdefg', 'h', 'ij')],
])('%s is given in parts, again what did not arrive whole', async (_, source) => {
  const take = partsOf(source())
  expect(await text(take(0, 4))).toEqual(['abcd', false])
  expect(await text(take(0, 4))).toEqual(['abcd', false])
  expect(await text(take(3, 3))).toEqual(['def', false])
  expect(await text(take(6, 4))).toEqual(['ghij', true])
  expect(await text(take(7, 9))).toEqual(['hij', true])
  expect(await text(take(10, 4))).toEqual(['', true])
})

test('the bytes of a stream that the server already has are skipped', async () => {
  const take = partsOf(stream('ab', 'cdefg', 'h', 'ij'))
  expect(await text(take(7, 2))).toEqual(['hi', false])
  expect(await text(take(9, 2))).toEqual(['j', true])
})

test('a stream that is not what was sent before says so', async () => {
  await expect(partsOf(stream('ab'))(3, 2)).rejects.toThrow('more of an import of this key')
  const take = partsOf(stream('abcdef'))
  await take(4, 2)
  await expect(take(0, 2)).rejects.toThrow('The server has lost what was sent')
})

test('nothing at all is one part', async () => {
  expect(await text(partsOf(new Blob())(0, 4))).toEqual(['', true])
  expect(await text(partsOf(stream())(0, 4))).toEqual(['', true])
})
