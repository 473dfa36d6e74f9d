import { expect, test } from 'vitest'
import { paths } from '../src/paths.ts'

test('every link of the app', () => {
  expect({
    root: paths.root(),
    datasets: paths.datasets(),
    dataset: paths.dataset('photos'),
    items: paths.items('photos'),
    item: paths.item('photos', '42'),
    summary: paths.summary('photos'),
    views: paths.views(),
    repos: paths.repos(),
    addItem: paths.addItem('photos'),
    diff: paths.diff('photos@1500', 1200),
    correctItem: paths.correctItem('photos', 42),
    editRepo: paths.editRepo('photos'),
    importRows: paths.importRows('photos'),
    addFiles: paths.addFiles('photos'),
    tokens: paths.tokens(),
    audit: paths.audit(),
    addRepo: paths.addRepo(),
    addView: paths.addView(),
    saveAsView: paths.saveAsView('photos', {}),
  } satisfies Record<keyof typeof paths, string>).toEqual({
    root: '/',
    datasets: '/dataset/',
    dataset: '/dataset/photos',
    items: '/dataset/photos/item',
    item: '/dataset/photos/item/42',
    diff: '/dataset/photos@1500/diff?from=1200',
    summary: '/dataset/photos/summary',
    views: '/view/',
    repos: '/repo/',
    addItem: '/repo/photos/additem',
    correctItem: '/repo/photos/item/42/correct',
    editRepo: '/repo/photos/edit',
    importRows: '/repo/photos/import',
    addFiles: '/repo/photos/addfiles',
    tokens: '/token/',
    audit: '/audit',
    addRepo: '/addrepo',
    addView: '/addview',
    saveAsView: '/addview?base=photos',
  })
})

test('a name that another server allows stays one part of the path', () => {
  expect(paths.dataset('a/b?c#d e')).toBe('/dataset/a%2Fb%3Fc%23d%20e')
  expect(paths.item('../x', 7)).toBe('/dataset/..%2Fx/item/7')
})
