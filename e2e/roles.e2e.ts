import type { Page } from '@playwright/test'
import { expect, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import type { LaunchedServer } from './launch-server.ts'
import { looks, wear } from './looks.ts'
import { addPeople } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'
import { signInAsNew } from './new-account.ts'
import { clientOf, signIn } from './sign-in.ts'

test.use(signedOut)

/** Somebody else's repository `people`, as a new account sees it where everybody has a role. */
async function openAsNew(page: Page, server: LaunchedServer): Promise<void> {
  const other = await page.context().browser()!.newPage()
  await signIn(other, server.url)
  await addPeople(await clientOf(other), 'people')
  await other.close()
  await signInAsNew(page, server, 'grace')
}

test(
  'a contributor sees what one may do, and finds out why one may not do the rest',
  { tag: '@core' },
  async ({ page, launch }) => {
    const server = await launch({ VITRINE_EVERYONE: 'contributor' })
    await openAsNew(page, server)
    await page.getByRole('link', { name: 'people' }).click()
    await page.getByRole('link', { name: 'About' }).click()
    await expect(page.getByText('your role')).toBeVisible()
    await expect(page.getByText('contributor, as everybody')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Add item' })).toBeVisible()
    for (const name of ['Edit', 'Import']) {
      await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
    }
    for (const name of ['delete', 'Edit metadata']) {
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    }

    await page.goto(`${server.url}/repo/people/import`)
    const refusal = page.getByText(
      'You may not do this: it takes the role curator on this dataset, and yours is contributor; ask admin, or an administrator.',
    )
    await expect(refusal).toBeVisible()
    for (const look of looks) {
      const save = await wear(page, look)
      await save('role-refused')
    }
    await page.setViewportSize({ width: 320, height: 800 })
    expect(await sidewaysOverflow(page)).toBe(0)
    await expectAccessible(page, 'what takes another role')

    const own = await clientOf(page)
    await addPeople(own, 'own')
    await page.goto(`${server.url}/dataset/own`)
    await expect(page.getByText('owner, you created it')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Import' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'delete' })).toBeVisible()
  },
)

test('a reader is led to nothing that is refused', async ({ page, launch }) => {
  const server = await launch({ VITRINE_EVERYONE: 'reader' })
  await openAsNew(page, server)
  await page.goto(`${server.url}/repo/`)
  await expect(page.getByRole('link', { name: 'people' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^add/i })).toHaveCount(0)
  await page.goto(
    `${server.url}/dataset/people/item?where=%7B%22name%22%3A%7B%22eq%22%3A%22Ada%20Lovelace%22%7D%7D`,
  )
  await expect(page.getByText('Ada Lovelace').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Save as view' })).toHaveCount(0)
  await page.goto(`${server.url}/addrepo`)
  await expect(
    page.getByText('You may not do this: here administrators alone create datasets.'),
  ).toBeVisible()
  await page.goto(`${server.url}/repo/people/additem`)
  await expect(page.getByText(/it takes the role contributor on this dataset/)).toBeVisible()
  await page.getByRole('link', { name: 'Open people' }).click()
  await expect(page.getByText('reader, as everybody')).toBeVisible()
})
