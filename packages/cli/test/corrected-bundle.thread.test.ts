import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importBundleFile } from '../src/bulk/import-bundle-file.ts'
import { openZipArchive } from '../src/bulk/zip-archive.ts'
import { type Installation, openInstallation } from './installation.ts'
import { createIo } from './vitrine.ts'

let here: Installation

/** Items of cats: 1 Tim, 2 to 4 its later versions, 5 and 6 Kim and its mother, 7 a version of 6 that refers to 5. */
beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  const run = async (words: string[]) => expect(await here.run(words)).toMatchObject({ code: 0 })
  const schema = [
    '  - { name: name, type: string, length: 20 }',
    '  - { name: age, type: integer, optional: true }',
    '  - { name: kitten, type: reference, target: cats, optional: true }',
    '  - { name: picture, type: binary, mime: text/*, optional: true }',
  ]
  const description = `name: cats\nschema:\n${schema.join('\n')}\n`
  await run(['create', '-f', here.write('cats.yaml', description)])
  const picture = `picture=@${here.write('cat.md', '# a cat')};type=text/markdown`
  await run(['add', 'cats', 'name=Tim', 'age=4', picture])
  await run(['correct', 'cats', '1', 'name=Tom', '--reason', 'a typing error'])
  await run(['withdraw', 'cats', '2', '--reason', 'added twice'])
  await run(['correct', 'cats', '3', '--reason', 'it was another one'])
  await run(['add', 'cats', 'name=Kim', 'age=1'])
  await run(['add', 'cats', 'name=Mia', 'age=7'])
  await run(['correct', 'cats', '6', 'kitten=5', '--without', 'age', '--reason', 'older'])
  const view = 'name: kims\nbase: cats\nwhere: { name: { in: [Tom, Kim, Mia] } }\n'
  await run(['create', '-f', here.write('kims.yaml', view)])
})
afterAll(() => here.close())

const path = (name: string) => join(dirname(here.write('empty', '')), name)

type Version = { id: number; change: string; reason?: string }

/** Versions of an item as `vitrine show` has them. */
async function versionsOf(dataset: string, id: number): Promise<Version[]> {
  const [item] = await here.json<{ versions: Version[] }>(['show', dataset, String(id)])
  return item!.versions.map(({ id, change, reason }) => ({ id, change, ...(reason && { reason }) }))
}

const current = async (dataset: string) =>
  (await here.json<{ id: number; data: object }>(['ls', dataset, '--current'])).map(
    ({ id, data }) => ({ id, ...data }),
  )

test('corrections of a bundle are made again, with their reasons', async () => {
  const file = path('cats.bundle.zip')
  expect(await here.run(['export', 'cats', '-o', file])).toMatchObject({ code: 0 })
  expect(await here.run(['verify', file])).toMatchObject({ code: 0 })
  const imported = await here.run(['import', file, '--as', 'cats=kittens'])
  expect(imported).toMatchObject({ code: 0 })
  expect(imported.stdout).toContain('with 7 items, of which 4 correct or withdraw others.')
  expect(imported.stderr).not.toContain('like any other')

  expect(await versionsOf('kittens', 1)).toEqual([
    { id: 1, change: 'added' },
    { id: 2, change: 'corrected', reason: 'a typing error' },
    { id: 3, change: 'withdrawn', reason: 'added twice' },
    { id: 4, change: 'corrected', reason: 'it was another one' },
  ])
  expect(await current('kittens')).toEqual(await current('cats'))
  expect(await here.run(['verify', 'kittens'])).toMatchObject({ code: 0 })
})

test('what corrects an item that the bundle does not have is an item like any other', async () => {
  const file = path('kims.bundle.zip')
  expect(await here.run(['export', 'kims', '-o', file])).toMatchObject({ code: 0 })
  const imported = await here.run(['import', file, '--prefix', 'their-'])
  expect(imported).toMatchObject({ code: 0 })
  expect(imported.stderr).toContain(
    'In cats 1 corrects or withdraws another, which the bundle does not have. In their-cats it is an item like any other.',
  )
  // The bundle begins with item 2, which replaces item 1.
  expect(await versionsOf('their-cats', 1)).toMatchObject([
    { id: 1 },
    { id: 2, reason: 'added twice' },
    { id: 3 },
  ])
  const [made] = await here.json(['import', file, '--prefix', 'other-'])
  expect(made).toMatchObject({ datasets: [{ corrections: 3, lostCorrections: 1 }, {}] })
})

test('a server that does not import corrections is told items like any other', async () => {
  const file = path('cats.bundle.zip')
  const archive = await openZipArchive(file)
  const io = createIo()
  try {
    const features = ['import'] as const
    const options = { io, features, as: ['cats=plain'], prefix: '', json: false }
    await importBundleFile(here.client(), { file, archive }, options)
  } finally {
    archive.close()
  }
  io.stderr.end()
  expect(await text(io.stderr)).toContain(
    'In cats 4 correct or withdraw others, and the server does not import corrections. In plain they are items like any other.',
  )
  expect(await current('plain')).toHaveLength(7)
})

test('a bundle of an imported one has the same corrections', async () => {
  const file = path('again.bundle.zip')
  expect(await here.run(['export', 'kittens', '-o', file])).toMatchObject({ code: 0 })
  expect(await here.run(['import', file, '--as', 'kittens=grandkittens'])).toMatchObject({
    code: 0,
  })
  expect(await versionsOf('grandkittens', 1)).toEqual(await versionsOf('cats', 1))
})
