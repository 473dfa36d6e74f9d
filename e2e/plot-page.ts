import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { importFile, type Client } from '@vitrine/client'
import { newName } from './app.ts'

export const plot = (page: Page) => page.getByRole('region', { name: /^Plot of/ })
export const chart = (page: Page) => plot(page).getByRole('img', { name: /, / })
export const picker = (page: Page, name: string) => plot(page).getByRole('combobox', { name })
export const found = (page: Page) =>
  page.getByRole('region', { name: 'Filters' }).getByRole('status')
export const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
export const showValues = (page: Page) => page.getByText('Show values').click()
export const values = (page: Page) => plot(page).getByRole('table').getByRole('row')

/** The file that is saved, as a document, and its name. */
export async function savedSvg(page: Page) {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download SVG' }).click()
  const file = await download
  const text = await readFile(await file.path(), 'utf8')
  const counts = await page.evaluate((svg) => {
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml')
    const count = (selector: string) => parsed.querySelectorAll(selector).length
    return {
      errors: count('parsererror'),
      rects: count('[data-part="rect"] rect, [data-part="bar"] rect'),
      dots: count('[data-part="dot"] circle'),
      title: parsed.querySelector('svg > title')?.textContent,
      description: parsed.querySelector('svg > desc')?.textContent,
    }
  }, text)
  return { ...counts, text, fileName: file.suggestedFilename() }
}

/** Adds a dataset with these rows. */
export async function addRows(client: Client, schema: object[], rows: object[]): Promise<string> {
  const name = newName('plotted')
  await client.repoCreate({ body: { name, schema } })
  const text = rows.map((row) => JSON.stringify(row)).join('\n')
  if (rows.length > 0) await importFile(client, name, new Blob([text]), { format: 'ndjson' })
  return name
}
