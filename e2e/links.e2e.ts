import { addItem } from '@vitrine/client'
import { expect, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { looks, wear } from './looks.ts'
import { addPeople } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'
import { clientOf, signIn } from './sign-in.ts'

test.use(signedOut)

test(
  'a link is made by the keyboard, opens a dataset without a sign-in, and is revoked',
  { tag: '@core' },
  async ({ page, launch }) => {
    const { url } = await launch()
    await signIn(page, url)
    const client = await clientOf(page)
    await addPeople(client, 'people')
    await page.goto(`${url}/dataset/people`)
    const section = page.getByRole('region', { name: 'Links' })
    await section.getByText('Create a link').focus()
    await page.keyboard.press('Enter')
    await section.getByRole('textbox', { name: 'Name' }).focus()
    await page.keyboard.type('review of the paper')
    await page.keyboard.press('Tab')
    await expect(section.getByRole('option', { name: /^the first/ })).toHaveCount(1)
    await page.keyboard.press('t')
    await expect(section.getByLabel('Shows')).toHaveValue('state')
    await section.getByLabel('Expires').selectOption('in a day')
    await page.keyboard.press('Tab')
    await expectAccessible(page, 'a link to create')
    for (const look of looks) {
      const save = await wear(page, look)
      await section.scrollIntoViewIfNeeded()
      await save('link-form')
    }
    await section.getByRole('button', { name: 'Create link' }).press('Enter')
    const shown = section.getByRole('region', { name: 'New link' })
    await expect(shown.getByRole('heading')).toBeFocused()
    const address = shown.getByRole('region', { name: 'Address', exact: true })
    const csv = (await address.innerText()).trim()
    expect(csv).toMatch(/\/api\/dataset\/people\/export\?format=csv&at=\d+&link=vtl_\w{49}$/)
    await shown.getByLabel('Address of').selectOption('Parquet, read in parts')
    const parquet = (await address.innerText()).trim()
    for (const look of looks) {
      const save = await wear(page, look)
      await section.scrollIntoViewIfNeeded()
      await save('link-made')
    }
    await expectAccessible(page, 'a new link')
    await page.setViewportSize({ width: 320, height: 800 })
    expect(await sidewaysOverflow(page)).toBe(0)

    const lines = async () => (await (await fetch(csv)).text()).trim().split('\n').length
    const before = await lines()
    const range = await fetch(parquet, { headers: { range: 'bytes=0-3' } })
    expect(await range.text()).toBe('PAR1')
    await addItem(client, 'people', { name: 'Later' })
    expect(await lines()).toBe(before)

    await shown.getByRole('button', { name: 'Done' }).click()
    await page.reload()
    await expect(page.getByText('vtl_')).toHaveCount(0)
    const row = section.getByRole('row', { name: /review of the paper the first \d+ items/ })
    await expect(row.getByText('never')).toHaveCount(0)
    expect(await sidewaysOverflow(page)).toBe(0)
    await expectAccessible(page, 'links of a dataset')
    for (const look of looks) {
      const save = await wear(page, look)
      await section.scrollIntoViewIfNeeded()
      await save('links')
    }
    await page.goto(`${url}/dataset/people@1`)
    await section.getByText('Create a link').click()
    await expect(section.getByLabel('Shows')).toHaveValue('state')
    await expect(section.getByRole('option', { name: 'the first 1 item' })).toHaveCount(1)
    await section.getByRole('button', { name: 'Revoke review of the paper' }).click()
    await page.getByRole('button', { name: 'Keep it' }).click()
    expect((await fetch(csv)).status).toBe(200)
    await section.getByRole('button', { name: 'Revoke review of the paper' }).click()
    await page.getByRole('button', { name: 'Revoke link' }).click()
    await expect(row).toHaveCount(0)
    expect((await fetch(csv)).status).toBe(403)
  },
)
