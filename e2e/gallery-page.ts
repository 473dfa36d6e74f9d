import type { Locator, Page } from '@playwright/test'
import { addItem, type Client } from '@vitrine/client'
import { newName } from './app.ts'
import { picture } from './sample-data.ts'

export const png = (bytes: Buffer<ArrayBuffer>) => new Blob([bytes], { type: 'image/png' })
export const longTitle = 'What one sees from the hill behind the station in spring '
  .repeat(3)
  .trim()

type Picture = { number?: string; title?: string; image?: Blob }

/** A repository of pictures with titles, both optional. */
export async function addPictures(
  client: Client,
  items: readonly Picture[],
  name = newName('pictures'),
): Promise<{ name: string; ids: number[] }> {
  await client.repoCreate({
    body: {
      name,
      schema: [
        { name: 'number', type: 'integer', optional: true },
        { name: 'title', type: 'string', length: 400, optional: true },
        { name: 'image', type: 'binary', mime: 'image/*', optional: true },
      ],
    },
  })
  const ids: number[] = []
  for (const item of items) ids.push(await addItem(client, name, item))
  return { name, ids }
}

/** TIFF (TIFF 6.0 §2) whose directory is empty: no program can show it. */
export const emptyTiff = new Blob([Buffer.from(`49492a0008000000${'00'.repeat(6)}`, 'hex')], {
  type: 'image/tiff',
})

/** Makes pictures, called `picture 1` and so on. */
export const numbered = (count: number): Picture[] =>
  Array.from({ length: count }, (_, index) => ({
    number: String(index + 1),
    title: `picture ${index + 1}`,
    image: png(picture(index + 1)),
  }))

const gallery = (page: Page) => page.getByRole('list', { name: /^Items of / })
export const tiles = (page: Page) => gallery(page).getByRole('listitem')
export const captions = (page: Page) => tiles(page).getByRole('link')
export const asked = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

export const widthOf = (image: Locator) =>
  image.evaluate((element: HTMLImageElement) => element.naturalWidth)
