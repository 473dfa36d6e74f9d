import { addItem } from '@vitrine/client'
import { expect, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { looks, wear } from './looks.ts'
import { signInAsNew } from './new-account.ts'
import { addPeople } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'
import { clientOf, signIn } from './sign-in.ts'

test.use(signedOut)

test('an owner hides a dataset, and those who refer to it are shown ids that lead nowhere', async ({
  page,
  browser,
  launch,
}) => {
  const server = await launch({ VITRINE_EVERYONE: 'reader' })
  await signIn(page, server.url)
  const client = await clientOf(page)
  await addPeople(client, 'people')
  const author = { name: 'author', type: 'reference', target: 'people' }
  const schema = [{ name: 'title', type: 'string', length: 20 }, author]
  await client.repoCreate({ body: { name: 'photos', schema } })
  await addItem(client, 'photos', { title: 'Cape', author: '1' })
  const other = await (await browser.newContext()).newPage()
  await signInAsNew(other, server, 'grace')
  await other.goto(`${server.url}/dataset/people`)
  await expect(other.getByText('reader, as everybody')).toBeVisible()

  await page.goto(`${server.url}/dataset/people`)
  const section = page.getByRole('region', { name: 'Who may what' })
  const everybody = section.getByLabel('Role of everybody signed in', { exact: true })
  await everybody.focus()
  await page.keyboard.press('n')
  await expect(section.getByLabel('Take back the role of everybody signed in')).toBeVisible()
  await expect(everybody).toHaveValue('none')
  for (const look of looks) {
    const save = await wear(page, look)
    await section.scrollIntoViewIfNeeded()
    await save('hidden-dataset-owner')
  }

  await other.reload()
  await expect(other.getByText('dataset not found')).toBeVisible()
  await expect(other.getByText('Or you may not read it.')).toBeVisible()
  await other.goto(`${server.url}/dataset/`)
  await expect(other.getByRole('link', { name: 'photos', exact: true })).toBeVisible()
  await expect(other.getByRole('link', { name: 'people', exact: true })).toHaveCount(0)
  await other.goto(`${server.url}/dataset/photos/item`)
  const cell = other.getByTitle('You may not read people')
  await expect(cell).toHaveText('1')
  await expect(cell.getByRole('link')).toHaveCount(0)
  for (const look of looks) await (await wear(other, look))('hidden-reference-cell')
  await other.goto(`${server.url}/dataset/photos/item/1`)
  await expect(other.getByText('You may not read people')).toBeVisible()
  await other.setViewportSize({ width: 320, height: 800 })
  expect(await sidewaysOverflow(other)).toBe(0)
  await expectAccessible(other, 'an item that refers to what one may not read')
  for (const look of looks) await (await wear(other, look))('hidden-reference')
  await other.context().close()
})
