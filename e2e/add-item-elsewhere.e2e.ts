import { expect, signedOut, test } from './app.ts'
import { addNotes, addOnePhoto, addPeople, addPhotos, picture } from './sample-data.ts'
import { clientOf, signIn } from './sign-in.ts'

test.use(signedOut)

test('each step that fails says so and keeps what was typed', async ({
  page,
  launchOther,
  console,
}) => {
  console.expect(/status of \d+/)
  const other = await launchOther()
  await signIn(page, other.url)
  const client = await clientOf(page)
  await addNotes(client, 'notes')
  await addPeople(client, 'people')
  await page.goto(`${other.url}/repo/notes/additem`)
  const text = page.getByRole('textbox', { name: 'text' })
  await text.fill('typed once')
  const steps = page.getByRole('region', { name: 'Progress' }).getByRole('listitem')

  // The ids that will be given are known: one per attempt, in order.
  const first = (await client.insertBegin({ datasetId: 'notes' })).id
  other.alter('POST /api/repo/notes/item', () => ({ status: 507, body: '' }))
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alert')).toContainText('Insufficient Storage')
  await expect(steps).toContainText(['Initialize failed', 'Upload waiting', 'Commit waiting'])
  await expect(text).toHaveValue('typed once')
  other.restore()

  other.alter(`POST /api/repo/notes/item/${first + 2}`, () => ({ status: 404, body: '' }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'repo or item not found, or the insert was not initialized or its deadline was exceeded',
  )
  await expect(steps).toContainText(['Initialize done', 'Upload failed', 'Commit waiting'])
  await expect(text).toHaveValue('typed once')

  other.alter(`POST /api/repo/notes/item/${first + 3}`, () => ({
    status: 404,
    body: JSON.stringify({ code: 'FIELD_NOT_IN_SCHEMA', message: 'whatever' }),
  }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toContainText('field not in schema')

  other.alter(`POST /api/repo/notes/item/${first + 4}/commit`, () => ({ status: 422, body: '' }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toContainText('data does not conform to schema')
  await expect(steps).toContainText(['Initialize done', 'Upload done', 'Commit failed'])
  await expect(text).toHaveValue('typed once')

  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL(/\/dataset\/notes\/item\/\d+$/)
  await expect(page.getByRole('definition').getByText('typed once', { exact: true })).toBeVisible()
})

test('another server may describe fields of other types', async ({ page, launchOther }) => {
  const other = await launchOther()
  await signIn(page, other.url)
  const client = await clientOf(page)
  const { person, id } = await addOnePhoto(client, { people: 'people', photos: 'photos' })
  other.alter('GET /api/dataset/photos', (reply) => ({
    ...reply,
    body: reply.body.replace('"type":"string"', '"type":"polygon"'),
  }))
  await page.goto(`${other.url}/dataset/photos/item/${id}`)
  await expect(page.getByText('NOT IMPLEMENTED')).toBeVisible()
  await expect(page.getByRole('definition').nth(1)).toContainText(String(person))
  await page.goto(`${other.url}/repo/photos/additem`)
  await expect(page.getByText('NOT IMPLEMENTED')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'taken_by' })).toBeVisible()
})

test('a reference that the server refuses keeps what was typed', async ({
  page,
  launchOther,
  console,
}) => {
  console.expect(/status of 422/)
  const other = await launchOther()
  await signIn(page, other.url)
  const client = await clientOf(page)
  const [person = 0] = await addPeople(client, 'people')
  await addPhotos(client, 'photos', 'people')
  // The item is there when it is looked up, and gone when it is sent.
  other.alter('GET /api/dataset/people/item/987654', () => ({
    status: 200,
    body: JSON.stringify({ id: 987_654, data: { name: 'Grace Hopper' } }),
  }))
  await page.goto(`${other.url}/repo/photos/additem`)
  const title = page.getByRole('textbox', { name: 'title' })
  const reference = page.getByRole('combobox', { name: 'taken_by' })
  await title.fill('Kept')
  await reference.fill('987654')
  await page
    .getByLabel('image', { exact: true })
    .setInputFiles({ name: 'kept.png', mimeType: 'image/png', buffer: picture() })
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('data does not conform to schema').first()).toBeVisible()
  await expect(reference).toHaveAccessibleDescription(/item/i)
  await expect(title).toHaveValue('Kept')
  await expect(page.getByText('kept.png')).toBeVisible()

  await reference.fill(String(person))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL(/\/dataset\/photos\/item\/\d+$/)
  expect((await client.datasetCount({ datasetId: 'photos' })).totalItems).toBe(1)
})
