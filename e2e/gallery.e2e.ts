import type { Page } from '@playwright/test'
import { addItem } from '@vitrine/client'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import {
  addPictures,
  asked,
  captions,
  longTitle,
  numbered,
  png,
  tiles,
  widthOf,
} from './gallery-page.ts'
import { observeShifts, shiftsOf } from './observe-shifts.ts'
import { addNotes, picture } from './sample-data.ts'

/** The ids of the items whose pictures are asked for from now on. */
function picturesAsked(page: Page): Set<number> {
  const ids = new Set<number>()
  page.on('request', (request) => {
    const id = /\/item\/(\d+)\/image\/small$/.exec(new URL(request.url()).pathname)?.[1]
    if (id !== undefined) ids.add(Number(id))
  })
  return ids
}

test(
  'items with pictures are a gallery where one asks for it',
  { tag: '@core' },
  async ({ page, client }) => {
    const { name, ids } = await addPictures(client, [
      ...numbered(2),
      { image: png(picture(3)) },
      { title: 'nothing to see' },
    ])
    await page.goto(`/dataset/${name}/item`)
    await expect(page.getByRole('table')).toContainText('picture 2')
    const look = page.getByRole('group', { name: 'Layout' })
    await expect(look.getByRole('button', { name: 'Table' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await look.getByRole('button', { name: 'Gallery' }).click()
    await expect(captions(page)).toHaveText([
      'picture 1',
      'picture 2',
      `Item ${ids[2]}`,
      'nothing to see',
    ])
    expect(asked(page)).toEqual({ as: 'gallery' })
    for (const tile of (await tiles(page).all()).slice(0, 3)) {
      await expect.poll(() => widthOf(tile.locator('img'))).toBe(160)
    }
    await expect(tiles(page).nth(3)).toContainText('no picture')
    await page.reload()
    await expect(captions(page)).toHaveCount(4)
    await captions(page).nth(1).click()
    await expect(page).toHaveURL(new RegExp(`/dataset/${name}/item/${ids[1]}$`))
    await page.goBack()
    await expect(captions(page)).toHaveCount(4)
    await look.getByRole('button', { name: 'Table' }).click()
    await expect(page.getByRole('table')).toContainText('picture 2')
    expect(asked(page)).toEqual({})
    // It is remembered in the address alone.
    await page.goto(`/dataset/${name}/item`)
    await expect(page.getByRole('table')).toContainText('picture 2')
  },
)

test('a dataset without pictures has no gallery', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes, 1)
  await page.goto(`/dataset/${notes}/item?as=gallery`)
  await expect(page.getByRole('table')).toContainText('note 1')
  await expect(page.getByRole('button', { name: 'Gallery' })).toBeHidden()
})

test('filters, order and pages are those of the table', async ({ page, client }) => {
  const { name } = await addPictures(client, numbered(21))
  await page.goto(`/dataset/${name}/item?as=gallery`)
  await expect(captions(page)).toHaveCount(20)
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(captions(page)).toHaveText(['picture 21'])
  expect(asked(page)).toEqual({ as: 'gallery', page: '1' })

  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('number ↓')
  await expect(captions(page).first()).toHaveText('picture 21')
  await expect(captions(page)).toHaveCount(20)
  expect(asked(page)).toEqual({ as: 'gallery', order: '-number' })

  await page.getByRole('button', { name: 'Add filter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add filter' })
  await dialog.getByLabel(/^Field/).selectOption('title')
  await dialog.getByLabel('Value').fill('picture 2')
  await page.keyboard.press('Enter')
  await expect(captions(page)).toHaveText(['picture 21', 'picture 20', 'picture 2'])
  expect(asked(page)).toMatchObject({ as: 'gallery', order: '-number' })
  await page.getByRole('button', { name: /^Remove filter/ }).click()
  await expect(captions(page)).toHaveCount(20)
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('As added')
  await expect(captions(page).first()).toHaveText('picture 1')
  expect(asked(page)).toEqual({ as: 'gallery' })

  const words = page.getByRole('searchbox')
  await words.fill('picture 21')
  await expect(captions(page)).toHaveText(['picture 21'])
  await expect(captions(page).locator('mark')).toHaveText(['picture', '21'])
  expect(asked(page)).toEqual({ as: 'gallery', q: 'picture 21' })

  await page.goto(`/dataset/${name}/item?as=gallery&where={"title":{"eq":"none"}}`)
  await expect(page.getByText('No item passes the filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(captions(page)).toHaveCount(20)
  await page.goto(`/dataset/${name}/item?as=gallery&page=7`)
  await page.getByRole('link', { name: 'Previous page' }).click()
  expect(asked(page)).toEqual({ as: 'gallery', page: '6' })
})

test('a gallery without items says so', async ({ page, client }) => {
  const { name } = await addPictures(client, [])
  await page.goto(`/dataset/${name}/item?as=gallery`)
  await expect(page.getByText('Dataset has no Items')).toBeVisible()
})

test('pictures are asked for when they come near the window', async ({ page, client }) => {
  const { name, ids } = await addPictures(client, numbered(20))
  await page.setViewportSize({ width: 390, height: 600 })
  const wanted = picturesAsked(page)
  await page.goto(`/dataset/${name}/item?as=gallery`)
  await expect.poll(() => widthOf(tiles(page).first().locator('img'))).toBe(160)
  expect(wanted).not.toContain(ids.at(-1))
  expect(wanted.size).toBeLessThan(12)
  await tiles(page).last().scrollIntoViewIfNeeded()
  await expect.poll(() => widthOf(tiles(page).last().locator('img'))).toBe(160)
})

test('the gallery shows the cover field, until another picture field is chosen', async ({
  page,
  client,
}) => {
  const name = newName('covers')
  const field = (each: string) => ({ name: each, type: 'binary', mime: 'image/png' })
  await client.repoCreate({
    body: { name, cover: 'front', schema: [field('back'), field('front')] },
  })
  await addItem(client, name, {
    back: png(picture(1, { width: 30, height: 30 })),
    front: png(picture(2, { width: 50, height: 30 })),
  })
  await page.goto(`/dataset/${name}/item?as=gallery`)
  await expect.poll(() => widthOf(tiles(page).locator('img'))).toBe(50)
  await page.getByRole('combobox', { name: 'Picture' }).selectOption('back')
  await expect.poll(() => widthOf(tiles(page).locator('img'))).toBe(30)
  expect(asked(page)).toEqual({ as: 'gallery', picture: 'back' })
})

test('how large pictures are is kept in the browser, and set by keyboard', async ({
  page,
  client,
}) => {
  const { name } = await addPictures(client, numbered(3))
  await page.goto(`/dataset/${name}/item?as=gallery`)
  const width = async () => (await tiles(page).first().boundingBox())!.width
  const slider = page.getByRole('slider', { name: 'Size of pictures' })
  const before = await width()
  await slider.focus()
  await slider.press('End')
  await expect.poll(width).toBeGreaterThan(before)
  const largest = await width()
  await page.reload()
  await expect.poll(width).toBe(largest)
  await slider.press('Home')
  await expect.poll(width).toBeLessThan(before)
})

test('a gallery fits every window, whatever its captions, and nothing jumps', async ({
  page,
  client,
}) => {
  const items = [
    { title: longTitle, image: png(picture(1, { width: 400, height: 30 })) },
    { title: 'x'.repeat(300), image: png(picture(2, { width: 30, height: 400 })) },
    { title: 'שדות ליד הנהר בבוקר, 1913', image: png(picture(3)) },
    { title: `${'منظر من التل '.repeat(12)}(1)`, image: png(picture(4)) },
    { title: 'short' },
    ...numbered(17),
  ]
  const { name } = await addPictures(client, items, newName('pictures').padEnd(128, '-long'))
  await observeShifts(page)
  for (const width of [320, 360, 390, 1440, 2560]) {
    await page.setViewportSize({ width, height: 800 })
    for (const size of ['Home', 'End']) {
      await page.goto(`/dataset/${name}/item?as=gallery`)
      await expect(captions(page)).toHaveCount(20)
      const place = `${size} at ${width}`
      expect(await page.evaluate(() => document.documentElement.scrollWidth), place).toBe(width)
      const first = tiles(page).first().locator('img')
      await expect.poll(() => widthOf(first), place).toBeGreaterThan(0)
      expect(await shiftsOf(page), `${place} moves`).toBeLessThan(0.02)
      const heights = await tiles(page).evaluateAll((all) => all.map((each) => each.clientHeight))
      expect(new Set(heights).size, `tiles of one height, ${place}`).toBe(1)
      await page.getByRole('slider').press(size)
    }
  }
  const directions = await captions(page).evaluateAll((all) =>
    all.map((each) => getComputedStyle(each.querySelector('[dir]')!).direction),
  )
  expect(directions.slice(0, 5)).toEqual(['ltr', 'ltr', 'rtl', 'rtl', 'ltr'])
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expectAccessible(page, `a gallery at ${width}`)
  }
})
