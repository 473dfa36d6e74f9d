import { expect, newName, test } from './app.ts'
import { holdReplies } from './hold-replies.ts'
import { openPalette, paletteOf } from './palette-page.ts'
import { addNotes } from './sample-data.ts'

test('the palette shows what a screen offers only once it is loaded', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes, 1)
  const release = await holdReplies(page, new RegExp(`/api/dataset/${notes}/provenance`))
  await page.goto(`/dataset/${notes}`)
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible()
  await openPalette(page)
  const options = paletteOf(page).getByRole('option')
  const marked = paletteOf(page).getByRole('option', { selected: true })
  await expect(options.filter({ hasText: /^delete$/ })).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(marked).toHaveText('Shortcuts')
  const count = await options.count()
  release()
  await expect(options.filter({ hasText: /^Edit metadata$/ })).toBeVisible()
  await expect(options).toHaveCount(count + 1)
  // What comes before it does not take its mark.
  await expect(marked).toHaveText('Shortcuts')
})

test('arrows and Enter hold for what is found, however soon they come', async ({
  page,
  client,
  server,
}) => {
  const name = newName('lakes')
  const field = `depth_${name.replaceAll('-', '_')}`
  await client.repoCreate({ body: { name, schema: [{ name: field, type: 'string' }] } })
  await page.goto('/view/')
  await openPalette(page)
  const release = await holdReplies(page, /\/api\/search\?.*q=/)
  await page.keyboard.type(field)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  release()
  await expect(page).toHaveURL(`${server.url}/dataset/${name}`)

  // A command that the screen offers once it is loaded stands before items with its words.
  const releaseDataset = await holdReplies(page, new RegExp(`/api/dataset/${name}$`))
  await page.goto(`/dataset/${name}/item`)
  await openPalette(page)
  await page.keyboard.type('add item')
  await page.keyboard.press('Enter')
  releaseDataset()
  await expect(page).toHaveURL(`${server.url}/repo/${name}/additem`)
})
