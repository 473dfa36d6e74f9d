import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addNotes } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'

test(
  'the metadata of a repository is edited on its page, by keyboard',
  { tag: '@core' },
  async ({ page, client }) => {
    const name = newName('rivers')
    await addNotes(client, name, 1)
    await page.goto(`/dataset/${name}`)
    await expect(page.getByText('No description yet.')).toBeVisible()
    const edit = page.getByRole('button', { name: 'Edit metadata' })
    await edit.focus()
    await page.keyboard.press('Enter')
    const form = page.getByRole('region', { name: 'Metadata' })
    await expect(form.getByRole('textbox', { name: 'Description' })).toBeFocused()
    await page.keyboard.insertText('Heights of rivers')
    const license = form.getByRole('textbox', { name: 'License' })
    await license.fill('a licence')
    await form.getByRole('textbox', { name: 'Readme' }).fill('# Rivers\n\nBy **the office**.')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(license).toHaveAccessibleDescription(/must be an SPDX license identifier/)
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await sidewaysOverflow(page)).toBe(0)
      await expectAccessible(page, `metadata at ${width}`)
    }
    await license.fill('CC-BY-4.0')
    await page.keyboard.press('Enter')
    await expect(form).toBeHidden()
    await expect(edit).toBeFocused()
    await expect(page.getByText('Heights of rivers')).toBeVisible()
    await expect(page.getByRole('link', { name: 'CC-BY-4.0' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Readme' })).toContainText('By the office.')
    const { repo, schema } = await client.datasetGet({ datasetId: name })
    expect(repo).toMatchObject({ description: 'Heights of rivers', license: 'CC-BY-4.0' })
    expect(schema).toHaveLength(1)
  },
)

test('metadata that somebody else has changed meanwhile is told, not overwritten', async ({
  page,
  client,
}) => {
  const name = newName('rivers')
  const schema = [{ name: 'gauge', type: 'string', length: 80 }]
  await client.repoCreate({ body: { name, description: 'Rivers', schema } })
  const told = async () => (await client.datasetGet({ datasetId: name })).repo
  await page.goto(`/dataset/${name}`)
  await page.getByRole('button', { name: 'Edit metadata' }).click()
  const form = page.getByRole('region', { name: 'Metadata' })
  await form.getByRole('textbox', { name: 'Description' }).fill('Rivers of mine')
  const license = { license: 'CC0-1.0' }
  await client.repoExtend({
    datasetId: name,
    body: { name, description: 'Rivers of hers', ...license, schema },
  })
  await form.getByRole('button', { name: 'Save' }).click()
  const alert = form.getByRole('alert')
  await expect(alert).toContainText('Somebody else has changed description meanwhile')
  await expect(alert).toContainText('description is now: Rivers of hers')
  expect(await told()).toMatchObject({ description: 'Rivers of hers', ...license })
  await alert.getByRole('button', { name: 'Save mine' }).click()
  await expect(form).toBeHidden()
  // What only she has changed stays.
  expect(await told()).toMatchObject({ description: 'Rivers of mine', ...license })
})

test('metadata of a repository that is gone is not saved', async ({ page, client, console }) => {
  const name = newName('rivers')
  await addNotes(client, name)
  await page.goto(`/dataset/${name}`)
  await page.getByRole('button', { name: 'Edit metadata' }).click()
  const form = page.getByRole('region', { name: 'Metadata' })
  await form.getByRole('textbox', { name: 'Description' }).fill('Rivers')
  await client.repoDelete({ datasetId: name })
  console.expect(/status of 404/)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('alert')).toContainText('not found')
  await expect(form.getByRole('textbox', { name: 'Description' })).toHaveValue('Rivers')
})
