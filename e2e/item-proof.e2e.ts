import type { Page } from '@playwright/test'
import { expect, newName, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addNotes } from './sample-data.ts'
import { clientOf, signIn } from './sign-in.ts'

const verify = (page: Page) => page.getByRole('button', { name: 'Verify all' })
const section = (page: Page) => page.getByRole('region', { name: 'Seal' })
const checkOf = (page: Page, name: string) =>
  section(page)
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`^${name}`) })

test(
  'an item is proven in the browser, which remembers the log',
  { tag: '@core' },
  async ({ page, client }) => {
    const notes = newName('notes')
    const [first, second] = await addNotes(client, notes, 2)
    await page.goto(`/dataset/${notes}/item/${first}`)
    await verify(page).press('Enter')
    await expect(section(page).getByText('The item is what was added.')).toBeVisible()
    await expect(checkOf(page, 'Inclusion')).toContainText('It is entry 1 of 2.')
    await expect(checkOf(page, 'Signature')).toContainText('Signed by localhost')
    await expect(checkOf(page, 'History')).toContainText('No earlier state was verified here.')
    await expectAccessible(page, 'a proven item')
    const download = page.waitForEvent('download')
    await section(page).getByRole('button', { name: 'Download the proof' }).click()
    expect((await download).suggestedFilename()).toBe(`${notes}-${first}.tlog-proof`)

    const more = await addNotes(client, notes, 1)
    await page.goto(`/dataset/${notes}/item/${second}`)
    await verify(page).click()
    await expect(checkOf(page, 'History')).toContainText(
      'The log goes on from the state with 2 items',
    )
    await page.setViewportSize({ width: 320, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)

    // As if another history had been shown before.
    await page.evaluate((key) => {
      const known = JSON.parse(localStorage.getItem(key)!) as { root: string }
      localStorage.setItem(key, JSON.stringify({ ...known, root: '0'.repeat(64) }))
    }, `vitrine.log.${notes}`)
    await page.goto(`/dataset/${notes}/item/${more[0]}`)
    await verify(page).click()
    await expect(section(page).getByText('The item is not proven.')).toBeVisible()
    await expect(checkOf(page, 'History')).toContainText('its history was rewritten')
    await section(page).getByRole('button', { name: 'Forget what was verified before…' }).click()
    await section(page).getByRole('button', { name: 'Forget it, and verify again' }).click()
    await expect(section(page).getByText('The item is what was added.')).toBeVisible()
  },
)

test('an item of a view is proven by the repository that has it', async ({ page, client }) => {
  const notes = newName('notes')
  const [first] = await addNotes(client, notes, 1)
  const inner = newName('inner')
  const outer = newName('outer')
  await client.viewCreate({ body: { name: inner, base: notes } })
  await client.viewCreate({ body: { name: outer, base: inner } })
  await page.goto(`/dataset/${outer}/item/${first}`)
  await expect(section(page).getByRole('link', { name: notes })).toBeVisible()
  await verify(page).click()
  await expect(section(page).getByText('The item is what was added.')).toBeVisible()
})

test.describe('a server that is not honest', () => {
  test.use(signedOut)

  test('is detected by the check that covers the altered reply', async ({ page, launchOther }) => {
    const other = await launchOther()
    await signIn(page, other.url)
    const client = await clientOf(page)
    const [first] = await addNotes(client, 'notes', 2)
    const item = `/api/dataset/notes/item/${first}`
    const proof = `/api/repo/notes/item/${first}/proof`
    const oldProof = client.logProof({ datasetId: 'notes', itemId: first!, size: 1 })
    const early = await (await oldProof).text()

    await page.goto(`${other.url}/dataset/notes/item/${first}`)
    await verify(page).click()
    await expect(section(page).getByText('The item is what was added.')).toBeVisible()

    const expectFailed = async (name: string, text: string) => {
      await verify(page).click()
      await expect(checkOf(page, name)).toContainText(text)
      await expect(section(page).getByText('The item is not proven.')).toBeVisible()
      other.restore()
      await verify(page).click()
      await expect(section(page).getByText('The item is what was added.')).toBeVisible()
    }
    other.alter(`GET ${item}`, (reply) => ({
      ...reply,
      body: reply.body.replace('note 1', 'note 9'),
    }))
    await expectFailed('Bytes', 'Not what was added: ')
    other.alter(`GET ${proof}`, (reply) => ({
      ...reply,
      body: reply.body.replace(/^extra (.*)$/m, (_, extra: string) => {
        const entry = Buffer.from(extra, 'base64')
          .toString()
          .replace(/"seal":"./, '"seal":"g')
        return `extra ${Buffer.from(entry).toString('base64')}`
      }),
    }))
    await expectFailed('Entry', 'Its entry in the log is of other values.')
    other.alter(`GET ${proof}`, (reply) => ({
      ...reply,
      body: reply.body.replace(/^(index 0\n).*$/m, `$1${Buffer.alloc(32).toString('base64')}`),
    }))
    await expectFailed('Inclusion', 'The log does not have this entry.')
    other.alter(`GET ${proof}`, (reply) => ({
      ...reply,
      body: reply.body.replace('\n2\n', '\n3\n'),
    }))
    await expectFailed('Signature', 'not signed by the key of the server')
    other.alter(`GET ${proof}`, (reply) => ({ ...reply, body: early }))
    await expectFailed('History', 'an old state is shown')
  })
})
