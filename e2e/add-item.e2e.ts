import { expect, newName, test } from './app.ts'
import { addNotes, addPeople, addPhotos, picture } from './sample-data.ts'

const png = (name: string) => ({ name, mimeType: 'image/png', buffer: picture() })

test(
  'an item is added with a value of every type',
  { tag: '@core' },
  async ({ page, client, server }) => {
    const people = newName('people')
    const photos = newName('photos')
    const [person = 0] = await addPeople(client, people)
    await addPhotos(client, photos, people)
    await page.goto('/repo/')
    await page.getByRole('row', { name: photos }).getByRole('link', { name: 'add item' }).click()
    await expect(page).toHaveURL(`${server.url}/repo/${photos}/additem`)
    await expect(page.getByRole('heading', { name: `${photos}: Add Item` })).toBeVisible()

    await page.getByRole('textbox', { name: 'title' }).fill('Evening at the mill')
    const reference = page.getByRole('combobox', { name: 'taken_by' })
    await reference.fill(String(person))
    await expect(page.getByRole('link', { name: `item ${person} of ${people}` })).toHaveAttribute(
      'href',
      `/dataset/${people}/item/${person}`,
    )
    const image = page.getByLabel('image', { exact: true })
    await expect(image).toHaveAttribute('accept', 'image/*')
    await image.setInputFiles(png('lake.png'))
    await expect(page.getByText('lake.png', { exact: true })).toBeVisible()
    await page.getByLabel('raw', { exact: true }).setInputFiles({
      name: 'data.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from([0, 1, 2, 255]),
    })
    await page.getByRole('textbox', { name: 'notes' }).fill('Two lines\nand an emoji 🎞️')
    await page.getByRole('button', { name: 'Submit' }).click()

    await expect(page).toHaveURL(new RegExp(`/dataset/${photos}/item/\\d+$`))
    await expect(page.getByRole('definition').first()).toContainText('Evening at the mill')
    const [item] = await client.datasetItemList({ datasetId: photos })
    expect(item?.data).toMatchObject({
      title: 'Evening at the mill',
      taken_by: person,
      notes: 'Two lines\nand an emoji 🎞️',
    })
    const stored = await client.datasetFieldGet({
      datasetId: photos,
      itemId: item?.id ?? 0,
      fieldName: 'image',
    })
    expect(picture().equals(Buffer.from(await stored.arrayBuffer()))).toBe(true)
  },
)

test('an optional field may be left empty, a required field may not', async ({ page, client }) => {
  const people = newName('people')
  await addPeople(client, people)
  await page.goto(`/repo/${people}/additem`)
  await page.getByRole('button', { name: 'Submit' }).click()
  const name = page.getByRole('textbox', { name: 'name' })
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription(/This field is required/)
  await name.fill('Grace Hopper')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(new RegExp(`/dataset/${people}/item/\\d+$`))
  await expect(page.getByRole('definition').getByText('Grace Hopper')).toBeVisible()
  await expect(page.getByText('no value')).toBeVisible()
})

test(
  'invalid entries are refused before anything is sent',
  { tag: '@core' },
  async ({ page, client, console }) => {
    // Whoever stops while typing is told of the number so far.
    console.expect(/status of 404.*item\/123?\)/)
    const people = newName('people')
    const photos = newName('photos')
    await addPeople(client, people)
    await addPhotos(client, photos, people)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/api/')) sent.push(request.url())
    })
    await page.goto(`/repo/${photos}/additem`)
    const title = page.getByRole('textbox', { name: 'title' })
    await expect(title).toHaveAttribute('maxlength', '40')
    await title.pressSequentially('x'.repeat(42))
    await expect(title).toHaveValue('x'.repeat(40))
    // Length counts code points: 40 emoji fit, though each is two units of UTF-16.
    await title.fill('🎞'.repeat(40))
    await expect(page.getByText('40 / 40')).toBeVisible()
    await expect(title).not.toHaveAccessibleDescription(/characters fit/)
    await title.fill('x'.repeat(41))
    await expect(title).toHaveAccessibleDescription(/At most 40 characters fit, and there are 41/)

    const reference = page.getByRole('combobox', { name: 'taken_by' })
    await reference.fill('1e-2.x3')
    await reference.press('Tab')
    await expect(reference).toHaveAccessibleDescription(/positive whole number/)
    await reference.fill('123')
    await expect(page.getByText('There is no item 123 in')).toBeVisible()

    const image = page.getByLabel('image', { exact: true })
    await image.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
    await expect(image).toHaveAccessibleDescription(
      /The field takes image\/\*, and a.txt is text\/plain/,
    )
    await page.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('a.txt')).toBeHidden()

    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(title).toBeFocused()
    await expect(image).toHaveAccessibleDescription(/This field is required/)
    expect(sent).toEqual([])
  },
)

test('a reference that leads nowhere is told before anything is sent', async ({
  page,
  client,
  console,
}) => {
  console.expect(/status of 404.*item\/9\d*\)/)
  const [people, photos] = [newName('people'), newName('photos')]
  await addPeople(client, people)
  await client.repoCreate({
    body: { name: photos, schema: [{ name: 'taken_by', type: 'reference', target: people }] },
  })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/api/')) sent.push(request.url())
  })
  await page.goto(`/repo/${photos}/additem`)
  const reference = page.getByRole('combobox', { name: 'taken_by' })
  await reference.fill('999')
  await page.keyboard.press('Enter')
  await expect(reference).toHaveAccessibleDescription(
    new RegExp(`There is no item 999 in ${people}`),
  )
  await expect(reference).toBeFocused()
  expect(sent).toEqual([])
  await reference.fill('1')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/dataset/${photos}/item/\\d+$`))
})

test('a file can be dropped and pasted', { tag: '@core' }, async ({ page, client }) => {
  const photos = newName('photos')
  await client.repoCreate({
    body: { name: photos, schema: [{ name: 'image', type: 'binary', mime: 'image/png' }] },
  })
  await page.goto(`/repo/${photos}/additem`)
  const invitation = page.getByText('drop it here or paste it')
  const filesOf = (...names: string[]) =>
    page.evaluateHandle(
      ([bytes, names]) => {
        const data = new DataTransfer()
        for (const name of names) {
          data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
        }
        return data
      },
      [[...picture(3)], names] as const,
    )

  await invitation.dispatchEvent('dragover', { dataTransfer: await filesOf('dropped.png') })
  await invitation.dispatchEvent('drop', { dataTransfer: await filesOf('dropped.png') })
  await expect(page.getByText('dropped.png')).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(invitation).toBeVisible()

  // A file that misses the field must not take the page's place.
  await page
    .getByRole('heading', { name: `${photos}: Add Item` })
    .dispatchEvent('drop', { dataTransfer: await filesOf('missed.png') })
  await expect(invitation).toBeVisible()

  // A field holds one file: that others were left out is said.
  await invitation.dispatchEvent('drop', { dataTransfer: await filesOf('a.png', 'b.png', 'c.png') })
  await expect(page.getByText('a.png', { exact: true })).toBeVisible()
  await expect(page.getByText('The field holds one file: 2 others were left out.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('left out')).toBeHidden()

  const clipboardData = await filesOf('pasted.png', 'second.png')
  await page.evaluate((clipboardData) => {
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, clipboardData)
  await expect(page.getByText('pasted.png')).toBeVisible()
  await expect(page.getByText('The field holds one file: another was left out.')).toBeVisible()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(new RegExp(`/dataset/${photos}/item/\\d+$`))
  await expect(page.getByRole('img', { name: 'image' })).toBeVisible()
})

test('texts that were typed are kept across a reload', async ({ page, client }) => {
  const people = newName('people')
  await addPeople(client, people)
  await page.goto(`/repo/${people}/additem`)
  await page.getByRole('textbox', { name: 'name' }).fill('Half a na')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'name' })).toHaveValue('Half a na')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('textbox', { name: 'name' })).toHaveValue('')
})

test('items cannot be added to a view or to what is not there', async ({
  page,
  client,
  console,
}) => {
  console.expect(/status of 404/)
  const notes = newName('notes')
  const view = newName('view')
  await addNotes(client, notes)
  await client.viewCreate({ body: { name: view, base: notes } })
  await page.goto(`/repo/${view}/additem`)
  await expect(page.getByRole('alert')).toContainText('is a view')
  await page.goto('/repo/no-such-one/additem')
  await expect(page.getByRole('alert')).toContainText('dataset not found')
})

test('an insert whose repository has gone meanwhile says so', async ({ page, client, console }) => {
  console.expect(/status of 404/)
  const notes = newName('notes')
  await addNotes(client, notes)
  await page.goto(`/repo/${notes}/additem`)
  await page.getByRole('textbox', { name: 'text' }).fill('too late')
  await client.repoDelete({ datasetId: notes })
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alert')).toContainText('repo or item not found')
  await expect(page.getByRole('textbox', { name: 'text' })).toHaveValue('too late')
})
