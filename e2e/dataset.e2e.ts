import { expect, newName, signedOut, test } from './app.ts'
import { addNotes, addPeople, addPhotos } from './sample-data.ts'
import { clientOf, signIn } from './sign-in.ts'

test(
  'a repository is shown with its schema and what refers to what',
  { tag: '@core' },
  async ({ page, client, server }) => {
    const people = newName('people')
    const photos = newName('photos')
    await addPeople(client, people)
    await addPhotos(client, photos, people)

    await page.goto(`/dataset/${people}`)
    await expect(page.getByRole('heading', { name: people })).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(people))
    await expect(page.getByRole('button', { name: 'delete' })).toBeVisible()
    await expect(page.getByText('People who take photographs')).toBeVisible()
    await expect(page.getByRole('definition').filter({ hasText: /^2$/ })).toBeVisible()
    await expect(
      page.getByRole('definition').filter({ hasText: String(new Date().getUTCFullYear()) }),
    ).toBeVisible()
    const { schema } = await client.datasetGet({ datasetId: people })
    await page.getByText('Schema as JSON').click()
    const json = await page.getByRole('region', { name: 'schema as JSON' }).innerText()
    expect(json.trim()).toBe(JSON.stringify(schema, null, 2))
    await expect(page.getByRole('heading', { name: 'View definition' })).toBeHidden()

    await page.getByRole('region', { name: 'Referenced by' }).getByRole('link').click()
    await expect(page).toHaveURL(`${server.url}/dataset/${photos}`)
    await expect(page.getByRole('heading', { name: photos })).toBeVisible()
    await page.getByRole('region', { name: 'References to' }).getByRole('link').click()
    await expect(page).toHaveURL(`${server.url}/dataset/${people}`)
  },
)

test('a view is shown with its definition', { tag: '@core' }, async ({ page, client, server }) => {
  const notes = newName('notes')
  const view = newName('view')
  await addNotes(client, notes, 3)
  await client.viewCreate({
    body: { name: view, base: notes, fields: [{ name: 'caption', from: 'text' }] },
  })
  await page.goto(`/dataset/${view}`)
  await expect(page.getByRole('heading', { name: 'View definition' })).toBeVisible()
  await page.getByText('View definition as JSON').click()
  await expect(page.getByRole('region', { name: 'view definition as JSON' })).toContainText(
    `"base": "${notes}"`,
  )
  await expect(page.getByRole('definition').filter({ hasText: /^3$/ })).toBeVisible()
  await page.getByRole('link', { name: notes }).first().click()
  await expect(page).toHaveURL(`${server.url}/dataset/${notes}`)
  await expect(
    page.getByRole('region', { name: 'Referenced by' }).getByRole('link', { name: view }),
  ).toBeVisible()
})

test(
  'deleting a repository asks for its name',
  { tag: '@core' },
  async ({ page, client, server, console }) => {
    console.expect(/status of 404/)
    const notes = newName('notes')
    await addNotes(client, notes, 2)
    await page.goto('/repo/')
    await page.getByRole('row', { name: notes }).getByRole('link', { name: 'details' }).click()
    await page.getByRole('button', { name: 'delete' }).click()

    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('its 2 items')
    await expect(dialog).toContainText('No other dataset refers to this repository')
    const confirm = dialog.getByRole('button', { name: 'Delete' })
    await expect(confirm).toBeDisabled()
    await dialog.getByRole('textbox').fill(notes.slice(1))
    await expect(confirm).toBeDisabled()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()

    await page.getByRole('button', { name: 'delete' }).click()
    await dialog.getByRole('textbox').fill(notes)
    await confirm.click()
    await expect(page.getByText('Request successful')).toBeVisible()
    await expect(dialog).toBeHidden()

    await page.getByRole('link', { name: 'Back to Datasets' }).click()
    await expect(page).toHaveURL(`${server.url}/dataset/`)
    await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
    await expect(page.getByRole('link', { name: notes, exact: true })).toBeHidden()
    await page.goto(`/dataset/${notes}`)
    await expect(page.getByRole('alert')).toContainText('dataset not found')
  },
)

test('deleting a view leaves its base', async ({ page, client }) => {
  const notes = newName('notes')
  const view = newName('view')
  await addNotes(client, notes, 1)
  await client.viewCreate({ body: { name: view, base: notes } })
  await page.goto(`/dataset/${view}`)
  await page.getByRole('button', { name: 'delete' }).click()
  await expect(page.getByRole('dialog')).toContainText(notes)
  await page.getByRole('dialog').getByRole('textbox').fill(view)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Request successful')).toBeVisible()
  expect((await client.datasetCount({ datasetId: notes })).totalItems).toBe(1)
})

test(
  'a dataset that is the base of a view cannot be deleted, and the dialog links to the view',
  { tag: '@core' },
  async ({ page, client, server }) => {
    const notes = newName('notes')
    const view = newName('view')
    await addNotes(client, notes)
    await client.viewCreate({ body: { name: view, base: notes } })
    await page.goto(`/dataset/${notes}`)
    await page.getByRole('button', { name: 'delete' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button', { name: 'Delete' })).toBeHidden()
    await dialog.getByRole('link', { name: view }).click()
    await expect(page).toHaveURL(`${server.url}/dataset/${view}`)
  },
)

test('a repository that refers to itself can be deleted', async ({ page, client }) => {
  const chain = newName('chain')
  await client.repoCreate({
    body: {
      name: chain,
      schema: [{ name: 'next', type: 'reference', target: chain, optional: true }],
    },
  })
  await page.goto(`/dataset/${chain}`)
  await page.getByRole('button', { name: 'delete' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(chain)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Request successful')).toBeVisible()
})

test('a deletion that the server refuses shows the error', async ({ page, client, console }) => {
  console.expect(/status of 40[49]/)
  const notes = newName('notes')
  const view = newName('view')
  await addNotes(client, notes)
  const confirm = async (name: string) => {
    await page.getByRole('button', { name: 'delete' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(name)
    await page.keyboard.press('Enter')
  }
  const alert = page.getByRole('alert')

  await page.goto(`/dataset/${notes}`)
  await expect(page.getByText('none').first()).toBeVisible()
  await client.viewCreate({ body: { name: view, base: notes } })
  await confirm(notes)
  await expect(alert).toContainText('dataset is referenced by other datasets')
  await expect(page.getByText('Request successful')).toBeHidden()
  await expect(page.getByRole('heading', { name: notes })).toBeVisible()

  await page.goto(`/dataset/${view}`)
  await expect(page.getByRole('heading', { name: 'View definition' })).toBeVisible()
  await client.viewDelete({ datasetId: view })
  await confirm(view)
  await expect(alert).toContainText('view not found')

  await page.goto(`/dataset/${notes}`)
  await expect(page.getByText('none').first()).toBeVisible()
  await client.repoDelete({ datasetId: notes })
  await confirm(notes)
  await expect(alert).toContainText('repo not found')
})

test.describe('on another server', () => {
  test.use(signedOut)

  test('a deletion that takes long says that it is under way', async ({ page, launchOther }) => {
    const other = await launchOther()
    await signIn(page, other.url)
    await addNotes(await clientOf(page), 'notes')
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    other.alter('DELETE /api/repo/notes', async (reply) => {
      await held
      return reply
    })
    await page.goto(`${other.url}/dataset/notes`)
    await page.getByRole('button', { name: 'delete' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('notes')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status').filter({ hasText: 'Deleting notes' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'delete' })).toBeDisabled()
    answer()
    await expect(page.getByText('Request successful')).toBeVisible()
    await expect(page.getByText('Deleting notes')).toBeHidden()
  })
})
