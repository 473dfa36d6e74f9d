import { addItem } from '@vitrine/client'
import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'

const failure = 'This part of the page could not be loaded'
const lost = [/Loading (?:CSS )?chunk/, /ChunkLoadError/, /LoadFailure/, /ERR_FAILED/]

/** Lets none of the scripts and styles arrive that are loaded from now on. */
const cutOff = (page: Page) => page.route('**/static/*/async/**', (route) => route.abort())

test('a part whose code cannot be had says so in its place, and comes when it can be had', async ({
  page,
  client,
  console,
}) => {
  console.expect(...lost)
  const name = newName('parts')
  await client.repoCreate({ body: { name, schema: [{ name: 'n', type: 'integer' }] } })
  await addItem(client, name, { n: 17 })
  await page.goto(`/dataset/${name}/item`)
  const cell = page.getByRole('cell', { name: '17' })
  await expect(cell).toBeVisible()
  await cutOff(page)
  for (const part of ['Add filter', 'Export', 'Columns']) {
    await page.getByRole('button', { name: part }).click()
    await expect(page.getByRole('alert').filter({ hasText: failure })).toBeVisible()
    await expect(cell).toBeVisible()
    await page.unroute('**/static/*/async/**')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await cutOff(page)
  }
})

test('a part that another version of the page has offers to reload', async ({
  page,
  client,
  console,
}) => {
  console.expect(...lost, /404/)
  const name = newName('parts')
  await client.repoCreate({ body: { name, schema: [{ name: 'n', type: 'integer' }] } })
  await addItem(client, name, { n: 17 })
  await page.goto(`/dataset/${name}/item`)
  await expect(page.getByRole('cell', { name: '17' })).toBeVisible()
  await page.route('**/static/*/async/**', (route) => route.fulfill({ status: 404 }))
  await page.route(
    (url) => url.pathname === '/',
    (route) => route.fulfill({ body: '<script src="/static/js/index.other.js"></script>' }),
  )
  await page.getByRole('button', { name: 'Add filter' }).click()
  await expect(page.getByRole('alert')).toContainText('Vitrine was updated')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('cell', { name: '17' })).toBeVisible()
  await page.getByRole('button', { name: 'Add filter' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
})
