import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addItem, importFile, openReply, type Client } from '@vitrine/client'
import { expect, newName, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import type { OtherServer } from './other-server.ts'
import { addNotes } from './sample-data.ts'
import { clientOf, signIn } from './sign-in.ts'

/** The proof of a dataset, or the seal of an item. */
const section = (page: Page) => page.getByRole('region', { name: /^(Proof|Seal)$/ })
const verify = (page: Page) => page.getByRole('button', { name: 'Verify this dataset' })
const checkOf = (page: Page, name: string) =>
  section(page)
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`^${name}`) })
const good = (page: Page) => section(page).getByText('The dataset is what was added.')
const damage = (page: Page) => section(page).getByRole('list', { name: 'Damage' })

async function expectFound(page: Page, text: string): Promise<void> {
  await verify(page).click()
  await expect(section(page).getByText('The dataset is not proven.')).toBeVisible()
  await expect(damage(page)).toContainText(text)
}

/** A repository of notes that come as a file: more than a tile of the log holds take long one by one. */
async function importNotes(client: Client, name: string, count: number): Promise<void> {
  await addNotes(client, name)
  const rows = Array.from({ length: count }, (_, at) => `{"text":"note ${at + 1}"}\n`)
  await importFile(client, name, new Blob(rows), { format: 'ndjson' })
}

/** An export with digests, as it is downloaded. */
async function exportOf(client: Client, datasetId: string): Promise<string> {
  const asked = { datasetId, format: 'ndjson', integrity: true } as const
  return (await openReply(client, 'datasetExport', asked)).text()
}

const choose = (page: Page, text: string) =>
  section(page)
    .getByLabel('An export of this dataset')
    .setInputFiles({
      name: 'notes.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from(text),
    })

test('a dataset, a view and a downloaded export are verified in the browser', async ({
  page,
  client,
}) => {
  const notes = newName('notes')
  await importNotes(client, notes, 300)
  await page.goto(`/dataset/${notes}`)
  await verify(page).press('Enter')
  await expect(good(page)).toBeVisible()
  await expect(checkOf(page, 'Bytes')).toContainText('Each of 300 values')
  await expect(checkOf(page, 'Entry')).toContainText('Every item has its entry')
  await expect(checkOf(page, 'Inclusion')).toContainText('The log has 300 entries')
  await expect(checkOf(page, 'Signature')).toContainText('Signed by localhost')
  await expect(checkOf(page, 'History')).toContainText('No earlier state was verified here.')
  await expectAccessible(page, 'a verified dataset')

  const exported = await exportOf(client, notes)
  await addItem(client, notes, { text: 'added since' })
  await choose(page, exported)
  await expect(section(page).getByText('The file is what was added.')).toBeVisible()
  await expect(checkOf(page, 'History')).toContainText('The log goes on from the state with 300')
  await choose(page, exported.replace('"note 7"', '"note 8"'))
  await expect(section(page).getByText('The file is not proven.')).toBeVisible()
  await expect(damage(page)).toContainText('Item 7, text: is not what has the digest')
  await choose(page, '{"id":1,"text":"note 1"}\n')
  await expect(section(page).getByText('The file has no digests.')).toBeVisible()
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)

  const few = newName('few')
  const where = { text: { eq: 'note 9' } }
  await client.viewCreate({ body: { name: few, base: notes, where } })
  await page.goto(`/dataset/${few}`)
  await verify(page).click()
  await expect(good(page)).toBeVisible()
  await expect(checkOf(page, 'Inclusion')).toContainText(
    `The log of ${notes}, of 301 entries, has each of 1 items.`,
  )
})

test.describe('a server that is not honest', () => {
  test.use(signedOut)

  const digest = createHash('sha256').update('other').digest('hex')
  /** The columns of a note that holds another text, with the digest of that text. */
  const another = `f0 = 'other', digests = x'${digest}'`

  async function fill(page: Page, other: OtherServer, count: number): Promise<Client> {
    await signIn(page, other.url)
    const client = await clientOf(page)
    await importNotes(client, 'notes', count)
    return client
  }

  test('a rewritten value and a removed item are named', async ({
    page,
    launchOther,
    console: watch,
  }) => {
    // Of the proof of an item whose log misses another.
    watch.expect(/status of 500/)
    const other = await launchOther()
    const client = await fill(page, other, 300)
    await client.viewCreate({ body: { name: 'seen', base: 'notes' } })
    const wasMadeOf = 'Item 7: is not what its entry in the log was made of'
    await page.goto(`${other.url}/dataset/notes`)
    await verify(page).click()
    await expect(good(page)).toBeVisible()
    other.behind.changeDatabase(`update items_1 set ${another} where id = 7`)
    await expectFound(page, wasMadeOf)
    await page.goto(`${other.url}/dataset/notes/item/7`)
    await page.getByRole('button', { name: 'Verify all' }).click()
    await expect(checkOf(page, 'Inclusion')).toContainText('The log does not have this entry.')
    await page.goto(`${other.url}/dataset/seen`)
    await expectFound(page, 'Item 7: is not in the log')

    await page.goto(`${other.url}/dataset/notes`)
    other.behind.changeDatabase('delete from items_1 where id = 8')
    await expectFound(page, 'The log: entry 7 has no item')
    other.behind.changeDatabase('delete from items_1 where id = 299')
    await expectFound(page, 'The log: items are missing that it has')
    await page.goto(`${other.url}/dataset/notes/item/9`)
    await page.getByRole('button', { name: 'Verify all' }).click()
    await expect(section(page)).toContainText('items of the log are missing')
  })

  test('another history and an old state are named', async ({
    page,
    launchOther,
    console: watch,
  }) => {
    // Of what it does not sign.
    watch.expect(/status of 500/)
    const other = await launchOther()
    const client = await fill(page, other, 20)
    const early = await (await client.logCheckpoint({ datasetId: 'notes', size: 10 })).text()
    await page.goto(`${other.url}/dataset/notes`)
    await verify(page).click()
    await expect(good(page)).toBeVisible()

    other.behind.changeDatabase(`update items_1 set ${another}, leaf = null where id = 9`)
    await expectFound(page, 'The log: the server does not sign it')
    await page.goto(`${other.url}/dataset/notes/item/3`)
    await page.getByRole('button', { name: 'Verify all' }).click()
    await expect(section(page)).toContainText('the log was rolled back')
    other.behind.forgetSigned()
    await page.goto(`${other.url}/dataset/notes`)
    await expectFound(page, 'The log is not a continuation of the state with 20')
    await expect(checkOf(page, 'History')).toContainText('its history was rewritten')
    const shown = section(page).getByRole('figure')
    const now = await (await client.logCheckpoint({ datasetId: 'notes' })).text()
    await expect(shown).toHaveCount(2)
    await expect(shown.first()).toContainText('Verified before')
    await expect(shown.first().locator('pre')).toContainText('— localhost')
    await expect(shown.first().locator('pre')).not.toHaveText(now.trimEnd())
    await expect(shown.last().locator('pre')).toHaveText(now.trimEnd())
    await page.setViewportSize({ width: 320, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await expectAccessible(page, 'two checkpoints that do not go together')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${other.url}/dataset/notes/item/3`)
    await page.getByRole('button', { name: 'Verify all' }).click()
    await expect(checkOf(page, 'History')).toContainText('its history was rewritten')

    // Another than the browser has kept, so that it is sent.
    await addItem(client, 'notes', { text: 'more' })
    other.alter('GET /api/repo/notes/log/checkpoint', (reply) => ({ ...reply, body: early }))
    await page.goto(`${other.url}/dataset/notes`)
    await expectFound(page, 'The log: The log is shorter than the state with 20 items')
    await expect(checkOf(page, 'History')).toContainText('an old state is shown')
  })

  test('a verification is stopped, and begun again', async ({ page, launchOther }) => {
    const other = await launchOther()
    await fill(page, other, 3)
    const held = Promise.withResolvers<void>()
    other.alter('GET /api/dataset/notes/export', async (reply) => {
      await held.promise
      return reply
    })
    await page.goto(`${other.url}/dataset/notes`)
    await verify(page).click()
    await expect(section(page).getByRole('progressbar', { name: 'Verifying' })).toBeVisible()
    await section(page).getByRole('button', { name: 'Stop' }).click()
    await expect(section(page).getByText('Stopped after 0 items.')).toBeVisible()
    held.resolve()
    await verify(page).click()
    await expect(good(page)).toBeVisible()
  })
})
