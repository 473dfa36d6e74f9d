import { addItem } from '@vitrine/client'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'
import { withholdFeature } from './withhold-feature.ts'

const length = 200_000
const essay = `On ${'x'.repeat(length - 3)}`
const facts = { words: essay }

test('a list has the beginnings of long texts, and the page of an item all of them', async ({
  page,
  client,
}) => {
  const name = newName('essays')
  await client.repoCreate({
    body: {
      name,
      schema: [
        { name: 'essay', type: 'string', length },
        { name: 'facts', type: 'json' },
        { name: 'title', type: 'string', length: 2000 },
      ],
    },
  })
  const id = await addItem(client, name, { essay, facts, title: 't'.repeat(1000) })
  const listed = page.waitForResponse((response) => response.url().includes('/item?'))
  await page.goto(`/dataset/${name}/item`)
  expect((await (await listed).body()).length).toBeLessThan(20_000)

  const cells = page.getByRole('row').nth(1).getByRole('cell')
  await expect(cells.filter({ hasText: 'On xxx' }).first()).toContainText('…200,000 characters')
  await expect(cells.filter({ hasText: '{"words":' })).toContainText('…200,012 characters')
  await expect(cells.filter({ hasText: 'ttt' })).not.toContainText('characters')
  await expectAccessible(page, 'beginnings of long texts')

  await page.getByRole('link', { name: 'show' }).focus()
  await page.getByRole('button', { name: `essay of item ${id}` }).focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu')
  for (const [label, reason] of [
    ['Filter for this value', 'too long for an address'],
    ['Copy value', 'Only its beginning is here'],
  ] as const) {
    await expect(menu.getByRole('menuitem', { name: label })).toContainText(reason)
  }
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await sidewaysOverflow(page)).toBe(0)

  await page.goto(`/dataset/${name}/item/${id}`)
  const shown = page.getByRole('region', { name: 'essay' })
  await expect(shown).toBeVisible()
  expect(await shown.evaluate(({ textContent }) => textContent)).toBe(essay)
})

test('a server that does not cut texts is not asked to', async ({ page, client }) => {
  const name = newName('essays')
  await client.repoCreate({ body: { name, schema: [{ name: 'essay', type: 'string', length }] } })
  await addItem(client, name, { essay })
  await withholdFeature(page, 'cut')
  const asked = page.waitForRequest((request) => request.url().includes('/item?'))
  await page.goto(`/dataset/${name}/item`)
  expect((await asked).url()).not.toContain('cut=')
  await expect(page.getByText(essay)).toBeAttached()
})
