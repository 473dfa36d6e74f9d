import { addItem, type Client } from '@vitrine/client'
import type { Feature } from '@vitrine/contract'
import { newName } from './app.ts'
import { addPeople, addPhotos, photo, picture } from './sample-data.ts'

/** A screen, where it is and a text of it that is there only once its data is. */
export type Screen = {
  name: string
  path: string
  shows: RegExp
  /** Without which a server has no such screen. */
  feature?: Feature
}

/** Every screen, each with something on it. */
export async function fillScreens(
  client: Client,
  name: (word: string) => string = newName,
): Promise<Screen[]> {
  const people = name('people')
  const photos = name('photos')
  const captions = name('captions')
  const scans = name('scans')
  const [ada = 0, frances = 0] = await addPeople(client, people)
  await addPhotos(client, photos, people)
  const titles = ['Morning by the lake', 'The mill', 'Evening']
  const ids: number[] = []
  for (const [index, title] of titles.entries()) {
    const image = new Blob([picture(index + 1)], { type: 'image/png' })
    const takenBy = index === 1 ? frances : ada
    ids.push(await addItem(client, photos, photo(takenBy, { title, image })))
  }
  await client.repoCreate({
    body: { name: scans, schema: [{ name: 'page', type: 'binary', mime: 'image/png' }] },
  })
  await client.viewCreate({
    body: {
      name: captions,
      base: photos,
      description: 'Photographs with their captions',
      fields: ['image', { name: 'caption', from: 'title' }],
    },
  })
  return [
    { name: 'datasets', path: '/dataset/', shows: new RegExp(captions) },
    { name: 'repository', path: `/dataset/${photos}`, shows: /References to/ },
    { name: 'view', path: `/dataset/${captions}`, shows: /View definition/ },
    {
      name: 'state',
      path: `/dataset/${photos}@2`,
      shows: /Go to now/,
      feature: 'states',
    },
    {
      name: 'changes',
      path: `/dataset/${photos}@2/diff?from=1`,
      shows: /The mill/,
      feature: 'diff',
    },
    { name: 'items', path: `/dataset/${photos}/item`, shows: /The mill/ },
    { name: 'item', path: `/dataset/${photos}/item/${ids[0]}`, shows: /Morning by the lake/ },
    {
      name: 'correction',
      path: `/repo/${photos}/item/${ids[0]}/correct`,
      shows: /Correct item/,
      feature: 'corrections',
    },
    {
      name: 'gallery',
      path: `/dataset/${photos}/item?q=mill&as=gallery`,
      shows: /The mill/,
      feature: 'q',
    },
    {
      name: 'plot',
      path: `/dataset/${photos}/item?as=plot&x=taken_by`,
      shows: /Ada Lovelace/,
      feature: 'export-explored',
    },
    {
      name: 'summary',
      path: `/dataset/${photos}/summary`,
      shows: /Ada Lovelace/,
      feature: 'summary',
    },
    { name: 'views', path: '/view/', shows: new RegExp(captions) },
    { name: 'repositories', path: '/repo/', shows: new RegExp(photos) },
    { name: 'add-item', path: `/repo/${photos}/additem`, shows: /at most 40 characters/ },
    { name: 'import', path: `/repo/${photos}/import`, shows: /Choose a file/, feature: 'import' },
    {
      name: 'add-files',
      path: `/repo/${scans}/addfiles`,
      shows: /Choose files/,
      feature: 'import',
    },
    { name: 'edit', path: `/repo/${photos}/edit`, shows: /Ctrl Space/, feature: 'extend' },
    { name: 'tokens', path: '/token/', shows: /Create token/, feature: 'tokens' },
    { name: 'audit', path: '/audit', shows: new RegExp(captions), feature: 'audit' },
    { name: 'add-repository', path: '/addrepo', shows: /Ctrl Space/ },
    { name: 'add-view', path: '/addview', shows: /Ctrl Space/ },
    { name: 'not-found', path: '/no/such/page', shows: /404 - Page not found/ },
  ]
}
