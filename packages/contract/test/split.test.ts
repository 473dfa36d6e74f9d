import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkView, splitKey, splitPart, splitText, type Split } from '../src/index.ts'
import { isWholeRun } from './extent.ts'

function splitOf(parts: Record<string, number>, take: string): Split {
  const checked = checkView({ name: 'v', base: 'b', split: { parts, take } }, () => [
    { name: 'title', type: 'string', length: 10 },
  ])
  if (!checked.ok || checked.value.split === undefined) throw new Error(JSON.stringify(checked))
  return checked.value.split
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const part = (key: string | number | undefined, { parts }: Split, salt = 'v1') =>
  splitPart(sha256(splitText(salt, splitKey(key))), parts).name

const eightyTenTen = splitOf({ train: 80, val: 10, test: 10 }, 'train')

test('the parts lie side by side in the order of their names', () => {
  expect(eightyTenTen.parts).toEqual([
    { name: 'test', from: 0, to: 10 },
    { name: 'train', from: 10, to: 90 },
    { name: 'val', from: 90, to: 100 },
  ])
  expect(splitOf({ val: 10, test: 10, train: 80 }, 'train')).toEqual(eightyTenTen)
})

// Computed apart from this code: `printf 'v1\0%s' 7 | sha256sum | cut -c1-15`, modulo 100.
test.each([
  ['7', 'p17'],
  ['', 'p20'],
])('the key %j lies in part %s of a hundred', (key, expected) => {
  const names = Array.from({ length: 100 }, (_, index) => `p${String(index).padStart(2, '0')}`)
  const hundred = splitOf(Object.fromEntries(names.map((name) => [name, 1])), 'p00')
  expect(part(key, hundred)).toBe(expected)
})

// A share of n keys differs by chance by about 1/√n of itself.
const [keys, within] = isWholeRun ? [1_000_000, 0.005] : [100_000, 0.02]

test(
  `every part has its share of ${keys} keys within ${within * 100} %, and keys keep their parts`,
  { tags: 'long' },
  () => {
    for (const split of [eightyTenTen, splitOf({ a: 1, b: 2, c: 4 }, 'a')]) {
      const counts = new Map<string, number>()
      const first: string[] = []
      for (let id = 1; id <= keys; id += 1) {
        const name = part(id, split)
        counts.set(name, (counts.get(name) ?? 0) + 1)
        if (id <= 1000) first.push(name)
      }
      for (const { name, from, to } of split.parts) {
        const share = (keys * (to - from)) / split.total
        expect(Math.abs(counts.get(name)! / share - 1), name).toBeLessThan(within)
      }
      expect(Array.from({ length: 1000 }, (_, index) => part(index + 1, split))).toEqual(first)
    }
  },
)

test('a group is in one part, by whatever its key is', () => {
  expect(part(12, eightyTenTen)).toBe(part('12', eightyTenTen))
  expect(part(undefined, eightyTenTen)).toBe(part('', eightyTenTen))
})

test('another salt deals anew', () => {
  const ids = Array.from({ length: 1000 }, (_, index) => index)
  const moved = ids.filter((id) => part(id, eightyTenTen) !== part(id, eightyTenTen, 'v2'))
  expect(moved.length).toBeGreaterThan(200)
})
