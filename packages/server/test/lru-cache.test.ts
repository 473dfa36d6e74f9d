import { expect, test } from 'vitest'
import { LruCache } from '../src/runtime/lru-cache.ts'

test('the entry that was used longest ago is dropped, whatever was used twice in a row', () => {
  const cache = new LruCache<string, number>(3)
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.put(key, index)
  for (const key of ['c', 'c', 'a', 'a', 'c']) expect(cache.find(key)).toBeDefined()
  cache.put('d', 3)
  expect(['a', 'b', 'c', 'd'].map((key) => cache.find(key))).toEqual([0, undefined, 2, 3])
  // Of the three that are left, `a` is the one that was used longest ago.
  cache.put('e', 4)
  expect(['a', 'c', 'd', 'e'].map((key) => cache.find(key))).toEqual([undefined, 2, 3, 4])
})
