import { expect, newName, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { editorOf, enterDescription } from './editor.ts'
import { addNotes, picture } from './sample-data.ts'
import { fillScreens } from './screens.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('axe finds nothing on any screen', async ({ page, client }) => {
  const screens = await fillScreens(client)
  for (const { name, path, shows } of screens) {
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText(shows)
    await expectAccessible(page, name)
  }
})

test('axe finds nothing on the states of a dataset', async ({ page, client, console }) => {
  console.expect(/status of 404/)
  const notes = newName('notes')
  const [id] = await addNotes(client, notes, 21)
  const empty = newName('empty')
  await addNotes(client, empty)

  await page.goto(`/dataset/${notes}/item`)
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible()
  await expectAccessible(page, 'a list with a pager')
  await page.goto(`/dataset/${notes}/item/${id}`)
  await page.getByText('Digests', { exact: true }).click()
  await page.getByRole('button', { name: 'Verify all' }).click()
  await expect(page.getByText('matches')).toBeVisible()
  await expectAccessible(page, 'a verified item')
  await page.goto(`/dataset/${empty}/item`)
  await expect(page.getByText('Dataset has no Items')).toBeVisible()
  await expectAccessible(page, 'an empty list')
  await page.goto(`/dataset/${empty}`)
  await page.getByRole('button', { name: 'delete' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'the question before a deletion')
  await page.getByRole('dialog').getByRole('textbox').fill(empty)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Request successful')).toBeVisible()
  await expectAccessible(page, 'a dataset that was deleted')
  await page.goto('/dataset/no-such-one/item')
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'a load error')
})

test('axe finds nothing on the states of the forms', async ({ page, client, console }) => {
  console.expect(/status of 409/)
  const name = newName('photos')
  await client.repoCreate({
    body: {
      name,
      schema: [
        { name: 'title', type: 'string', length: 5 },
        { name: 'image', type: 'binary', mime: 'image/png' },
      ],
    },
  })
  await page.goto('/addrepo')
  await enterDescription(page, `---\nname: ${name}\nschema:\n- {name: a, type: strin}\n`)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'a description with a problem')
  await enterDescription(page, `---\nname: ${name}\nschema:\n- {name: a, type: string}\n`)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('region', { name: 'Difference' })).toBeVisible()
  await expectAccessible(page, 'a name that is taken')
  await editorOf(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('d')
  await expect(page.getByRole('listbox')).toBeVisible()
  await expectAccessible(page, 'suggestions')

  // A file that was chosen is lost with the page, so a reload asks first.
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`/repo/${name}/additem`)
  await page.getByRole('textbox', { name: 'title' }).fill('Lake')
  const image = page.getByLabel('image', { exact: true })
  await image.setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: picture() })
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(image).toHaveAccessibleDescription(/and a.gif is image\/gif/)
  await expectAccessible(page, 'an item that cannot be right')
  await page.reload()
  await expect(page.getByText('Draft restored')).toBeVisible()
  await expectAccessible(page, 'a draft')
})

test.describe('before signing in', () => {
  test.use(signedOut)

  test('axe finds nothing on the pages of signing in', async ({ page, console }) => {
    console.expect(/status of 400/)
    await page.goto('/')
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible()
    await expectAccessible(page, 'the sign-in page')
    await page.getByRole('textbox', { name: 'Username' }).fill('nobody')
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await expectAccessible(page, 'a sign-in that failed')
    await page.goto('/?error=access_denied&state=x')
    await expect(page.getByRole('heading', { name: 'Sign-in failed' })).toBeVisible()
    await expectAccessible(page, 'a callback that failed')
  })
})
