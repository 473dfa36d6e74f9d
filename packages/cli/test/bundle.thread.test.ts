import { readFileSync } from 'node:fs'
import { addItem, type Client } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { png } from '../../server/test/photos.ts'
import { addressIn, goThrough, type Installation, openInstallation } from './installation.ts'

let here: Installation
let there: Installation

const text = { type: 'string', length: 100 }

beforeAll(async () => {
  here = await openInstallation()
  there = await openInstallation()
  await here.login()
  await there.login()
  const client = here.client()
  const create = (name: string, schema: object[]) => client.repoCreate({ body: { name, schema } })
  await create('countries', [{ name: 'name', ...text }])
  await create('cities', [
    { name: 'name', ...text },
    { name: 'country', type: 'reference', target: 'countries' },
    { name: 'twin', type: 'reference', target: 'cities', optional: true },
  ])
  await client.viewCreate({
    body: { name: 'towns', base: 'cities', where: { name: { neq: 'Nowhere' } } },
  })
  await create('photos', [
    { name: 'title', ...text },
    { name: 'image', type: 'binary', mime: 'image/png', optional: true },
    { name: 'place', type: 'reference', target: 'towns', optional: true },
  ])
  const cities: number[] = []
  for (let index = 0; index < 6; index += 1) {
    // What is begun and left makes gaps, so that ids differ where nothing is.
    await client.insertBegin({ datasetId: 'countries' })
    const country = await addItem(client, 'countries', { name: `Country ${index}` })
    const twin: Record<string, number> = index % 2 === 1 ? { twin: cities[index - 1]! } : {}
    cities.push(await addItem(client, 'cities', { name: `City ${index}`, country, ...twin }))
  }
  for (let index = 0; index < 9; index += 1) {
    await client.insertBegin({ datasetId: 'photos' })
    const image = new Blob([png], { type: 'image/png' })
    const place = cities[(index + 1) % 6]!
    await addItem(client, 'photos', {
      title: `Photo ${index}`,
      ...(index % 2 === 0 && { image }),
      ...(index !== 4 && { place }),
    })
  }
  const views = [
    { name: 'even', base: 'photos@8', where: { image: { empty: false } } },
    {
      name: 'labelled',
      base: 'even',
      order: '-title',
      fields: ['title', 'image', 'place', { name: 'country', from: 'place.country.name' }],
    },
  ]
  for (const body of views) await client.viewCreate({ body })
}, 120_000)

afterAll(async () => {
  await here.close()
  await there.close()
})

const fileOf = (name: string) => `${here.folder}/${name}`

async function exported(dataset: string, name: string): Promise<string> {
  const file = fileOf(name)
  expect(await here.run(['export', dataset, '-o', file])).toMatchObject({ code: 0 })
  return file
}

/** The items of a dataset, with what they refer to in place of ids. */
async function deepItems(client: Client, datasetId: string): Promise<unknown[]> {
  const { schema } = await client.datasetGet({ datasetId })
  const deep = async (target: string, itemId: number): Promise<unknown> => {
    const { schema: fields } = await client.datasetGet({ datasetId: target })
    const item = await client.datasetItemGet({ datasetId: target, itemId })
    return filled(fields, item.data)
  }
  const filled = async (fields: typeof schema, data: Record<string, unknown>) =>
    Object.fromEntries(
      await Promise.all(
        fields.map(async ({ name, type, target }) => [
          name,
          type === 'reference' && data[name] !== undefined
            ? await deep(target!, Number(data[name]))
            : data[name],
        ]),
      ),
    ) as unknown
  const items = await client.datasetItemList({ datasetId })
  return Promise.all(items.map(({ data }) => filled(schema, data)))
}

test('a bundle is verified without a server, and by the key that is trusted', async () => {
  const file = await exported('labelled', 'labelled.bundle.zip')
  const nowhere = { env: { VITRINE_SERVER: 'http://127.0.0.1:9' } }
  const { code, stdout } = await here.run(['verify', file], nowhere)
  const key = (await (await here.client().logKey({})).text()).trim()
  expect({ code, stdout }).toMatchObject({ code: 0 })
  expect(stdout).toContain(`${file}, labelled@9: `)
  expect(stdout).toContain(`Signed by ${key}.`)
  expect(await here.run(['verify', file, '--key', key], nowhere)).toMatchObject({ code: 0 })
  const other = (await (await there.client().logKey({})).text()).trim()
  const foreign = await here.run(['verify', file, '--key', other], nowhere)
  expect(foreign).toMatchObject({ code: 8, stderr: 'Damaged: 3 logs.\n' })
  expect(foreign.stdout).toContain('photos: log: its checkpoint is that of another log')

  const cut = here.write('cut.bundle.zip', readFileSync(file).subarray(0, -100))
  expect(await here.run(['verify', cut], nowhere)).toMatchObject({ code: 6 })
  expect((await here.run(['verify', cut], nowhere)).stderr).toContain('is cut off')
  expect(await here.run(['verify', '--key', key], nowhere)).toMatchObject({ code: 2 })
})

test('a bundle makes all of it elsewhere, each reference to the equal item', async () => {
  const file = await exported('labelled', 'moved.bundle.zip')
  const client = there.client()
  const taken = await client.repoCreate({
    body: { name: 'cities', schema: [{ name: 'n', ...text }] },
  })
  const refused = await there.run(['import', file])
  expect(refused.code).toBe(5)
  expect(refused.stderr).toContain('cities is there already.')
  expect((await client.datasetList({})).map(({ name }) => name)).toEqual([taken.name])
  expect(await there.run(['import', file, '--as', 'nobody=x'])).toMatchObject({ code: 2 })

  const moved = await there.run(['import', file, '--as', 'cities=places'])
  expect(moved).toMatchObject({ code: 0, stderr: '' })
  expect(moved.stdout).toContain('Made the repository places from cities with 4 items.\n')
  expect(moved.stdout).not.toContain('shows other items')
  expect(await deepItems(client, 'labelled')).toEqual(await deepItems(here.client(), 'labelled'))
  expect((await client.datasetGet({ datasetId: 'even' })).view).toMatchObject({ base: 'photos@4' })
  expect(await there.run(['verify', 'photos'])).toMatchObject({ code: 0 })
  expect(await there.run(['verify', 'places'])).toMatchObject({ code: 0 })

  // What is new there tells where it comes from, and what was added there does not.
  const [there0] = await client.datasetItemList({ datasetId: 'photos' })
  const [here0] = await here.client().datasetItemList({ datasetId: 'labelled', order: ['title'] })
  const { origin } = await client.datasetItemAuthor({ datasetId: 'labelled', itemId: there0!.id })
  const made = await here.client().datasetItemGet({ datasetId: 'photos', itemId: here0!.id })
  const key = (await (await here.client().logVerifierKey({ datasetId: 'photos' })).text()).trim()
  const log = { origin: key.split('+')[0], size: 9, key }
  expect(origin).toMatchObject({ ...log, id: here0!.id, createdAt: made.createdAt })
  expect(origin!.by).toBe((await here.client().whoAmI({})).subject)
  const { origins } = await client.datasetProvenance({ datasetId: 'photos' })
  expect(origins).toMatchObject([{ ...log, items: 4 }])
  expect((await there.run(['show', 'photos'])).stdout).toContain(
    `comes from      ${log.origin}@9 (4 items)\n`,
  )
  expect((await there.run(['show', 'labelled', String(there0!.id)])).stdout).toContain(
    `comes from  ${log.origin}@9, item ${here0!.id}, added ${made.createdAt} by `,
  )

  // Ids differ there.
  const idsOf = async (at: Client) =>
    (await at.datasetItemList({ datasetId: 'labelled' })).map(({ id }) => id)
  expect(await idsOf(client)).not.toEqual(await idsOf(here.client()))
  // What was made there can go on.
  const again = `${there.folder}/again.bundle.zip`
  await there.run(['export', 'labelled', '-o', again])
  expect(await there.run(['verify', again])).toMatchObject({ code: 0 })

  const prefixed = await there.run(['import', file, '--prefix', 'their-', '--json'])
  expect(JSON.parse(prefixed.stdout)).toMatchObject({ name: 'their-labelled', isSame: true })
  expect(await deepItems(client, 'their-labelled')).toEqual(await deepItems(client, 'labelled'))
})

test('a dataset is pushed from one server to another, and verified there', async () => {
  const from = here.openComputer()
  await from.login()
  // The same computer is signed in to both.
  const env = { XDG_CONFIG_HOME: from.config }
  const { child, ended } = there.start(['login', '--no-browser', '--server', there.url], { env })
  await goThrough(there.visitor, await addressIn(child.stderr))
  expect(await ended).toMatchObject({ code: 0 })

  const words = ['push', 'even@9', '--to', there.url, '--server', here.url, '--prefix', 'pushed-']
  const pushed = await from.run(words)
  expect(pushed).toMatchObject({ code: 0, stderr: '' })
  expect(pushed.stdout).toContain('Made the view pushed-even from even.\n')
  const client = there.client()
  expect(await deepItems(client, 'pushed-even')).toEqual(await deepItems(here.client(), 'even'))
  expect(await there.run(['verify', 'pushed-even'])).toMatchObject({ code: 0 })
  expect(await from.run(words)).toMatchObject({ code: 5 })
  expect(await from.run(['push', 'even'])).toMatchObject({ code: 2 })
})

test('a view by what differs elsewhere is made, and told', async () => {
  const client = here.client()
  await client.viewCreate({
    body: { name: 'by-id', base: 'countries', where: { id: { lt: 5 } } },
  })
  const file = await exported('by-id', 'by-id.bundle.zip')
  const { code, stdout } = await there.run(['import', file, '--prefix', 'x-'])
  expect({ code, told: stdout.includes('x-by-id shows other items here') }).toEqual({
    code: 0,
    told: false,
  })
  await client.viewCreate({
    body: { name: 'newest', base: 'countries', order: '-createdAt' },
  })
  const newest = await exported('newest', 'newest.bundle.zip')
  const told = await there.run(['import', newest, '--prefix', 'y-'])
  expect(told.stdout).toContain('y-newest shows other items here than in the bundle')
})

test('an altered bundle, and a bundle whose import fails, leave no datasets behind', async () => {
  const file = await exported('photos', 'whole.bundle.zip')
  const client = there.client()
  const before = (await client.datasetList({})).length
  const other = (await (await there.client().logKey({})).text()).trim()
  const refused = await there.run(['import', file, '--prefix', 'z-', '--verifier', other])
  expect(refused.code).toBe(8)
  expect(refused.stderr).toContain('is damaged, or was altered. Nothing was imported.')
  expect(await client.datasetList({})).toHaveLength(before)

  // Two items of fans lead to what was the first one when they came: there only one can be.
  const source = here.client()
  await source.viewCreate({
    body: { name: 'first', base: 'countries', order: 'name', limit: 1 },
  })
  const fields = [{ name: 'of', type: 'reference', target: 'first' }]
  await source.repoCreate({ body: { name: 'fans', schema: fields } })
  for (const name of ['B', 'A']) {
    await addItem(source, 'fans', { of: await addItem(source, 'countries', { name }) })
  }
  const fans = await exported('fans', 'fans.bundle.zip')
  expect(await here.run(['verify', fans])).toMatchObject({ code: 0 })
  const failed = await there.run(['import', fans, '--prefix', 'z-'])
  expect(failed.code).toBe(6)
  expect(failed.stderr).toContain('What was made of the bundle is deleted again.')
  expect(await client.datasetList({})).toHaveLength(before)
})
