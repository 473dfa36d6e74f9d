import { expect, test } from 'vitest'
import { paths } from '../src/paths.ts'

test('every link of the app', () => {
  const links = Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [name, path('photos', '42')]),
  )
  expect(links).toEqual({
    root: '/',
    datasets: '/dataset/',
    dataset: '/dataset/photos',
    items: '/dataset/photos/item',
    item: '/dataset/photos/item/42',
    views: '/view/',
    repos: '/repo/',
    addItem: '/repo/photos/additem',
    addRepo: '/addrepo',
    addView: '/addview',
  })
})

test('a name that another server allows stays one part of the path', () => {
  expect(paths.dataset('a/b?c#d e')).toBe('/dataset/a%2Fb%3Fc%23d%20e')
  expect(paths.item('../x', 7)).toBe('/dataset/..%2Fx/item/7')
})
