import { expect, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { looks, wear } from './looks.ts'
import { signInAsNew } from './new-account.ts'
import { addPeople } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'
import { clientOf, signIn } from './sign-in.ts'

test.use(signedOut)

test(
  'an owner gives a colleague a role and takes it back, by the keyboard',
  { tag: '@core' },
  async ({ page, browser, launch }) => {
    const server = await launch({ VITRINE_EVERYONE: 'reader' })
    await signIn(page, server.url)
    await addPeople(await clientOf(page), 'people')
    const other = await (await browser.newContext()).newPage()
    await signInAsNew(other, server, 'grace')

    await page.goto(`${server.url}/dataset/people`)
    const section = page.getByRole('region', { name: 'Who may what' })
    await expect(section.getByRole('row', { name: /admin owner created it/ })).toBeVisible()
    const everybody = section.getByLabel('Role of everybody signed in')
    await expect(everybody).toHaveValue('reader')

    await section.getByRole('combobox', { name: 'Person or group' }).focus()
    await page.keyboard.type('GRA')
    await expect(section.getByRole('option', { name: 'grace' })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('c')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const ofGrace = section.getByLabel('Role of grace', { exact: true })
    await expect(ofGrace).toHaveValue('contributor')
    await ofGrace.selectOption('curator')
    await expect(section.getByText('given by admin').first()).toBeVisible()
    await everybody.selectOption('contributor')
    await expect(section.getByLabel('Take back the role of everybody signed in')).toBeVisible()
    for (const look of looks) {
      const save = await wear(page, look)
      await section.scrollIntoViewIfNeeded()
      await save('grants')
    }
    await page.setViewportSize({ width: 320, height: 800 })
    expect(await sidewaysOverflow(page)).toBe(0)
    await expectAccessible(page, 'roles on a dataset')

    await other.goto(`${server.url}/dataset/people`)
    await expect(other.getByText('curator, given to you')).toBeVisible()
    await expect(other.getByRole('link', { name: 'Import' })).toBeVisible()
    const others = other.getByRole('region', { name: 'Who may what' })
    await expect(others.getByRole('row', { name: /grace curator given by admin/ })).toBeVisible()
    await expect(others.getByRole('combobox')).toHaveCount(0)
    await expect(others.getByRole('button')).toHaveCount(0)

    await section.getByLabel('Take back the role of everybody signed in').focus()
    await page.keyboard.press('Enter')
    await expect(section.getByText('by the configuration of the server')).toBeVisible()
    await section.getByLabel('Take back the role of grace').click()
    await expect(ofGrace).toHaveCount(0)
    await other.reload()
    await expect(other.getByText('reader, as everybody')).toBeVisible()
    await expect(other.getByRole('link', { name: 'Import' })).toHaveCount(0)
    const history = page.getByRole('region', { name: 'History' })
    await expect(history.getByText('took a role back').first()).toBeVisible()
    await other.context().close()
  },
)

/** A name without a place to break it. */
const longName = 'g'.repeat(60)

test('an owner by a grant is warned before giving it up', async ({ page, browser, launch }) => {
  const server = await launch({ VITRINE_EVERYONE: 'reader' })
  await signIn(page, server.url)
  const client = await clientOf(page)
  await addPeople(client, 'people')
  const other = await (await browser.newContext()).newPage()
  await signInAsNew(other, server, longName)
  const [grace] = await client.personList({ datasetId: 'people', q: longName })
  await client.grantSet({
    datasetId: 'people',
    body: { person: grace!.subject, role: 'owner' },
  })

  await other.goto(`${server.url}/dataset/people`)
  const section = other.getByRole('region', { name: 'Who may what' })
  await other.setViewportSize({ width: 320, height: 800 })
  await expect(section.getByLabel(`Role of ${longName}`, { exact: true })).toBeVisible()
  expect(await sidewaysOverflow(other)).toBe(0)
  await section.getByLabel(`Role of ${longName}`, { exact: true }).selectOption('reader')
  await other.getByRole('button', { name: 'Keep it' }).click()
  await expect(section.getByLabel(`Role of ${longName}`, { exact: true })).toHaveValue('owner')
  await section.getByLabel(`Take back the role of ${longName}`).click()
  await other.getByRole('button', { name: 'Take back', exact: true }).click()
  await expect(other.getByText('reader, as everybody')).toBeVisible()
  await expect(section.getByRole('combobox')).toHaveCount(0)
  await other.context().close()
})
