import type { Client } from '@vitrine/client'
import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { endLine, suggested, take } from './complete.ts'
import { editorOf, enterDescription } from './editor.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addGallery } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'

async function newGallery(client: Client) {
  const [people, photos] = [newName('people'), newName('photos')]
  await addGallery(client, photos, people)
  return { people, photos }
}

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const previewed = (page: Page) => preview(page).getByRole('row').locator('td:nth-child(2)')
const line = (page: Page, text: string) => editorOf(page).locator('.cm-line', { hasText: text })

test(
  'datasets, fields, fields along a path and operators of a type are suggested',
  { tag: '@core' },
  async ({ page, client }) => {
    const { photos, people } = await newGallery(client)
    await page.goto('/addview')
    await enterDescription(page, '---\nname: some\n')
    await take(page, 'base')
    await expect.poll(() => suggested(page)).toEqual(expect.arrayContaining([photos, people]))
    await take(page, photos)
    await endLine(page)
    await take(page, 'where')
    await expect
      .poll(() => suggested(page))
      .toEqual([
        'title',
        'taken_by',
        'image',
        'raw',
        'notes',
        'id',
        'createdAt',
        'taken_by.name',
        'taken_by.country',
        'all',
        'any',
        'not',
      ])
    await take(page, 'image')
    await expect.poll(() => suggested(page)).toEqual(['empty', 'sha256', 'mime', 'bytes'])
    await take(page, 'bytes')
    await take(page, 'gt')
    await page.keyboard.type('10')
    await endLine(page)
    await page.keyboard.type('taken_by.na')
    await take(page, 'taken_by.name')
    await expect.poll(() => suggested(page)).toContain('icontains')
    expect(await suggested(page)).not.toContain('bytes')
    await take(page, 'in')
    // What the first items have there.
    await expect.poll(() => suggested(page)).toEqual(['Ada Lovelace', 'Frances Spence'])
    await take(page, 'Frances Spence')
    await expect(line(page, 'taken_by.name')).toHaveText(
      '  taken_by.name: { in: [Frances Spence] }',
    )
    await expect(previewed(page)).toHaveText(['The mill'])
    await expect(page.getByRole('button', { name: /^Line \d+/ })).toBeHidden()
  },
)

test('a word is explained under the mouse and at the cursor, a problem where it is', async ({
  page,
  client,
}) => {
  const { photos } = await newGallery(client)
  await page.goto('/addview')
  await enterDescription(
    page,
    `---\nname: some\nbase: ${photos}\nwhere:\n  title: { icontains: mill }\n  titel: { eq: x }\n`,
  )
  const note = 'has a text in it, whatever the case'
  await line(page, 'icontains').getByText('icontains').hover()
  await expect(page.locator('.cm-help')).toContainText(note)
  await page.mouse.move(0, 0)

  await expect(page.locator('.cm-lintRange-error')).toHaveText('titel')
  const told = page.getByRole('button', { name: 'Line 6, column 3: unknown field "titel"' })
  await expect(told).toBeVisible()
  await told.click()
  await expect(editorOf(page)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Shift+ArrowRight')
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('Delete')
  await expect(page.locator('.cm-lintRange-error')).toHaveCount(0)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  for (let steps = 0; steps < 'title: { ic'.length; steps += 1) {
    await page.keyboard.press('ArrowRight')
  }
  await expect(page.getByText(`icontains ${note}`)).toBeVisible()
})

test('the preview follows 200 ms after typing stops, and the one before stays until then', async ({
  page,
  client,
}) => {
  const { photos } = await newGallery(client)
  await page.goto('/addview')
  const condition = (text: string) =>
    `---\nname: some\nbase: ${photos}\nwhere:\n  title: { icontains: ${text} }\n`
  await enterDescription(page, condition('n'))
  await expect(previewed(page)).toHaveText(['Morning', 'Evening'])

  const asked: { at: number; text: string }[] = []
  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/view/preview', async (route) => {
    asked.push({ at: Date.now(), text: route.request().postData() ?? '' })
    await held
    await route.continue()
  })
  await line(page, 'icontains').click()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('in', { delay: 20 })
  const stopped = Date.now()
  await page.keyboard.type('g')
  await expect.poll(() => asked.at(-1)?.text).toContain('ning')
  expect(asked.at(-1)!.at - stopped).toBeGreaterThanOrEqual(200)
  await expect(preview(page)).toHaveAttribute('aria-busy', 'true')
  await expect(previewed(page)).toHaveText(['Morning', 'Evening'])
  answer()
  await expect(preview(page)).toHaveAttribute('aria-busy', 'false')
  await expect(previewed(page)).toHaveText(['Morning', 'Evening'])
  await expect(preview(page)).toContainText('icontains: ning')
})

test('the funnel explains why there is no row, and leads to the clause', async ({
  page,
  client,
}) => {
  const { photos } = await newGallery(client)
  await page.goto('/addview')
  await enterDescription(
    page,
    `---\nname: some\nbase: ${photos}\nwhere:\n  taken_by.name: { eq: Ada Lovelace }\n  title: { eq: The mill }\nlimit: 5\n`,
  )
  const steps = preview(page)
    .getByRole('list', { name: 'Items that each clause lets through' })
    .getByRole('listitem')
  await expect(steps).toHaveText([
    new RegExp(`^${photos}3$`),
    /^taken_by.name: \{ eq: Ada Lovelace \}2$/,
    /^title: \{ eq: The mill \}0$/,
    /^limit: 50$/,
  ])
  await expect(preview(page)).toContainText('title: { eq: The mill } lets no item through')
  await steps.nth(2).getByRole('button').press('Enter')
  await expect(editorOf(page)).toBeFocused()
  await page.keyboard.press('Shift+End')
  await page.keyboard.insertText('title: { starts_with: M }')
  await expect(steps.nth(2)).toHaveText(/^title: \{ starts_with: M \}1$/)
  await expect(previewed(page)).toHaveText(['Morning'])
})

test('a view is written, refused and corrected at 390 pixels without a mouse', async ({
  page,
  client,
  console,
}) => {
  console.expect(/status of 409/)
  const { photos } = await newGallery(client)
  const name = newName('taken')
  await client.viewCreate({ body: { name, base: photos, limit: 1 } })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/addview')
  for (let presses = 0; presses < 30; presses += 1) {
    if (await editorOf(page).evaluate((editor) => editor === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await expect(editorOf(page)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Enter')
  await take(page, 'name')
  await page.keyboard.type(name)
  await endLine(page)
  await take(page, 'base')
  await take(page, photos)
  await endLine(page)
  await page.keyboard.type('o')
  await expect(page.getByRole('listbox')).toBeVisible()
  await expectAccessible(page, 'suggestions in a view')
  await take(page, 'order')
  await take(page, 'title')
  await expect(previewed(page)).toHaveText(['Evening', 'Morning', 'The mill'])
  await expectAccessible(page, 'a preview')

  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('alert')).toContainText(
    'a view with the same name exists with a different definition',
  )
  const difference = page.getByRole('region', { name: 'Difference from the existing definition' })
  await expect(difference).toContainText('existing: limit: 1')
  await expect(difference).toContainText('entered: order:')
  await expectAccessible(page, 'a view whose name is taken')
  expect(await sidewaysOverflow(page)).toBe(0)

  // The refusal has put the cursor to the name.
  await expect(editorOf(page)).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type('-2')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByText('Request successful')).toBeVisible()
  expect(await client.datasetCount({ datasetId: `${name}-2` })).toMatchObject({ totalItems: 3 })
})
