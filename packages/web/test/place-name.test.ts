import { expect, test } from 'vitest'
import { placeName } from '../src/auth/ReturnNotice.tsx'

test.each([
  ['/dataset/', 'Datasets'],
  ['/repo/', 'Repos'],
  ['/addview?base=a&where=b', 'Add View'],
  ['/dataset/cities', 'cities'],
  ['/dataset/St%C3%A4dte/item?page=3', 'the items of Städte'],
  ['/dataset/cities/item?where=%7B%7D&page=0', 'the items of cities, filtered'],
  ['/dataset/cities/summary?q=new', 'the summary of cities, filtered'],
  ['/dataset/cities/item/17', 'item 17 of cities'],
  ['/repo/cities/additem', 'Add Item of cities'],
  ['/elsewhere/x', '/elsewhere/x'],
  ['/dataset/cities/unknown', '/dataset/cities/unknown'],
  ['/dataset/%E0', '%E0'],
])('%s is %s', (path, name) => {
  expect(placeName(path)).toBe(name)
})
