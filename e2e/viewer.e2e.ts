import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import {
  addPictures,
  asked,
  captions,
  emptyTiff,
  longTitle,
  numbered,
  png,
  tiles,
  widthOf,
} from './gallery-page.ts'
import { holdReplies } from './hold-replies.ts'
import { picture } from './sample-data.ts'
import { clientOf, signIn } from './sign-in.ts'

const viewer = (page: Page) => page.getByRole('dialog')
const viewed = (page: Page) => viewer(page).getByRole('heading')
const openTile = (page: Page, caption: string) =>
  tiles(page).getByRole('button', { name: `View ${caption}`, exact: true })

test(
  'a picture is viewed large by keyboard, and those beside it across pages',
  { tag: '@core' },
  async ({ page, client }) => {
    const { name, ids } = await addPictures(client, numbered(21))
    await page.goto(`/dataset/${name}/item?as=gallery`)
    const first = openTile(page, 'picture 2')
    await first.focus()
    await page.keyboard.press('Enter')
    await expect(viewed(page)).toHaveText('picture 2')
    const image = viewer(page).getByRole('img', { name: 'picture 2' })
    await expect.poll(() => widthOf(image)).toBe(160)
    expect(asked(page)).toEqual({ as: 'gallery', show: String(ids[1]) })
    await page.keyboard.press('ArrowLeft')
    await expect(viewed(page)).toHaveText('picture 1')
    // There is nothing before the first.
    await page.keyboard.press('ArrowLeft')
    await expect(viewer(page).getByRole('button', { name: 'Previous' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await page.keyboard.press('Escape')
    await expect(viewer(page)).toBeHidden()
    await expect(openTile(page, 'picture 1')).toBeFocused()
    expect(asked(page)).toEqual({ as: 'gallery' })

    await openTile(page, 'picture 20').click()
    await expect(viewed(page)).toHaveText('picture 20')
    await page.keyboard.press('ArrowRight')
    await expect(viewed(page)).toHaveText('picture 21')
    expect(asked(page)).toEqual({ as: 'gallery', page: '1', show: String(ids[20]) })
    await expect(viewer(page).getByRole('button', { name: 'Next' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await page.keyboard.press('ArrowLeft')
    await expect(viewed(page)).toHaveText('picture 20')
    await page.keyboard.press('ArrowRight')
    await expect(viewed(page)).toHaveText('picture 21')
    await page.keyboard.press('Escape')
    await expect(openTile(page, 'picture 21')).toBeFocused()
    expect(asked(page)).toEqual({ as: 'gallery', page: '1' })
  },
)

test(
  'steps that are pressed before it is known what is beside are taken in their order',
  { tag: '@core' },
  async ({ page, client }) => {
    const { name, ids } = await addPictures(client, numbered(22))
    let release = await holdReplies(page, /\/item\?page=0/)
    await page.goto(`/dataset/${name}/item?as=gallery&show=${ids[17]}`)
    await expect(viewer(page)).toBeVisible()
    for (const side of ['Right', 'Left', 'Left']) await page.keyboard.press(`Arrow${side}`)
    release()
    await expect(viewed(page)).toHaveText('picture 17')
    // Keys that all come before the screen is rendered again.
    await page.evaluate(() => {
      for (const side of ['Right', 'Right', 'Left', 'Right', 'Right']) {
        const event = new KeyboardEvent('keydown', { key: `Arrow${side}`, bubbles: true })
        document.body.dispatchEvent(event)
      }
    })
    await expect(viewed(page)).toHaveText('picture 20')

    release = await holdReplies(page, /\/item\?page=1/)
    await page.reload()
    await expect(viewed(page)).toHaveText('picture 20')
    // One of them leads beyond the last picture, and those after it lead back to the page before.
    for (const side of ['Right', 'Right', 'Right', 'Left', 'Left', 'Left']) {
      await page.keyboard.press(`Arrow${side}`)
    }
    release()
    await expect(viewed(page)).toHaveText('picture 19')
  },
)

test('a key that is pressed as soon as the viewer is there leads to a page that is known', async ({
  page,
  client,
}) => {
  const { name } = await addPictures(client, numbered(21))
  await page.goto(`/dataset/${name}/item?as=gallery&page=1`)
  await expect(captions(page)).toHaveText(['picture 21'])
  await page.getByRole('link', { name: 'Prev' }).click()
  await expect(captions(page)).toHaveCount(20)
  await page.evaluate(() => {
    // Right after the screen has changed, and before anything else.
    const observer = new MutationObserver(() => {
      if (document.querySelector('dialog h2, [role="dialog"] h2') === null) return
      observer.disconnect()
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }),
      )
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })
  await openTile(page, 'picture 20').click()
  await expect(viewed(page)).toHaveText('picture 21')
})

test('a step that is still pending when the viewer closes opens it no more', async ({
  page,
  client,
}) => {
  const { name, ids } = await addPictures(client, numbered(21))
  const release = await holdReplies(page, /\/item\?page=1/)
  await page.goto(`/dataset/${name}/item?as=gallery&show=${ids[19]}`)
  await expect(viewed(page)).toHaveText('picture 20')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toBeHidden()
  await page.getByRole('link', { name: 'Next' }).press('Enter')
  release()
  await expect(captions(page)).toHaveText(['picture 21'])
  await expect(viewer(page)).toBeHidden()
  expect(asked(page)).toEqual({ as: 'gallery', page: '1' })
})

test('the address has the viewer: Back closes it, a reload keeps it', async ({ page, client }) => {
  const { name, ids } = await addPictures(client, numbered(3))
  await page.goto(`/dataset/${name}/item?as=gallery`)
  await openTile(page, 'picture 2').click()
  await expect(viewed(page)).toHaveText('picture 2')
  await viewer(page).getByRole('button', { name: 'Next' }).click()
  await expect(viewed(page)).toHaveText('picture 3')
  await page.reload()
  await expect(viewed(page)).toHaveText('picture 3')
  await page.goBack()
  await expect(viewer(page)).toBeHidden()
  await expect(captions(page)).toHaveCount(3)
  expect(asked(page)).toEqual({ as: 'gallery' })
  await page.goForward()
  await expect(viewed(page)).toHaveText('picture 3')
  await viewer(page)
    .getByRole('link', { name: `Item ${ids[2]}` })
    .click()
  await expect(page).toHaveURL(new RegExp(`/dataset/${name}/item/${ids[2]}$`))
  await page.goBack()
  await expect(viewed(page)).toHaveText('picture 3')
  await viewer(page).getByRole('button', { name: 'Close' }).click()
  await expect(viewer(page)).toBeHidden()
  await expect(openTile(page, 'picture 3')).toBeFocused()

  // An item of another page is shown all the same.
  await page.goto(`/dataset/${name}/item?as=gallery&order=-number&page=0&show=${ids[0]}`)
  await expect(viewed(page)).toHaveText('picture 1')
  await page.goto(`/dataset/${name}/item?as=gallery&where={"number":{"eq":2}}&show=${ids[0]}`)
  await expect(viewed(page)).toHaveText('picture 1')
  await page.keyboard.press('Escape')
  await expect(captions(page)).toHaveText(['picture 2'])
})

test('a picture is enlarged by keys and wheel, and moved', async ({ page, client }) => {
  const { name, ids } = await addPictures(client, [
    { title: 'wide', image: png(picture(1, { width: 1600, height: 1200 })) },
  ])
  await page.goto(`/dataset/${name}/item?as=gallery&show=${ids[0]}`)
  const image = viewer(page).getByRole('img', { name: 'wide' })
  await expect.poll(() => widthOf(image)).toBe(1600)
  const box = async () => (await image.boundingBox())!
  const whole = await box()
  const window = page.viewportSize()!
  expect(whole.width).toBeLessThanOrEqual(window.width)
  expect(whole.y + whole.height).toBeLessThanOrEqual(window.height)

  await page.keyboard.press('+')
  await expect.poll(async () => (await box()).width).toBeGreaterThan(whole.width * 1.4)
  await expect(viewer(page).getByText('150 %')).toBeVisible()
  await page.keyboard.press('-')
  await expect.poll(box).toEqual(whole)
  await page.keyboard.press('-')
  await expect(viewer(page).getByText('100 %')).toBeVisible()

  // What is under the pointer stays there.
  const at = { x: whole.x + whole.width * 0.75, y: whole.y + whole.height * 0.5 }
  await page.mouse.move(at.x, at.y)
  await page.mouse.wheel(0, -600)
  await expect.poll(async () => (await box()).width).toBeGreaterThan(whole.width * 1.4)
  const near = await box()
  expect((at.x - near.x) / near.width).toBeCloseTo(0.75, 1)
  await page.mouse.down()
  await page.mouse.move(at.x - 60, at.y + 10, { steps: 3 })
  await page.mouse.up()
  await expect.poll(async () => Math.round((await box()).x - near.x)).toBe(-60)
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(async () => Math.round((await box()).x - near.x)).toBeLessThan(-60)
  await viewer(page).getByRole('button', { name: 'Fit' }).click()
  await expect.poll(box).toEqual(whole)
  expect(await page.evaluate(() => globalThis.scrollY)).toBe(0)
})

test.describe('on a server of its own', () => {
  // Lists of datasets would show what is damaged to other tests.
  test.use(signedOut)

  test('Verify in the viewer hashes what the browser received', async ({
    page,
    launch,
    console,
  }) => {
    const server = await launch()
    await signIn(page, server.url)
    console.expect(/status of 500/)
    const client = await clientOf(page)
    const bytes = picture(8, { width: 61, height: 47 })
    const { name, ids } = await addPictures(client, [
      { title: 'sound', image: png(picture(6)) },
      { title: 'altered', image: png(bytes) },
    ])
    const altered = Buffer.from(bytes)
    altered[altered.length - 20]! ^= 1
    await server.putBlob(createHash('sha256').update(bytes).digest('hex'), altered)
    await page.goto(`${server.url}/dataset/${name}/item?as=gallery&show=${ids[0]}`)
    // Of what is not what was sealed there is no small picture.
    await expect(tiles(page).nth(1)).toContainText('damaged')
    await viewer(page).getByRole('button', { name: 'Verify' }).click()
    await expect(viewer(page).getByText('matches', { exact: true })).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(viewed(page)).toHaveText('altered')
    await expect(viewer(page).getByText('matches', { exact: true })).toBeHidden()
    await viewer(page).getByRole('button', { name: 'Verify' }).click()
    await expect(viewer(page).getByText('does not match')).toBeVisible()
  })

  test('the viewer says why it shows no picture, in every window', async ({
    page,
    launch,
    console,
  }) => {
    const server = await launch()
    await signIn(page, server.url)
    const client = await clientOf(page)
    console.expect(/status of (?:404|422|500)/)
    const damaged = picture(3)
    const { name, ids } = await addPictures(client, [
      { title: longTitle, image: png(picture(1, { width: 1600, height: 90 })) },
      { title: 'שדות ליד הנהר בבוקר, 1913', image: png(picture(2, { width: 90, height: 1600 })) },
      { title: 'damaged', image: png(damaged) },
      { title: 'no image at all', image: emptyTiff },
      { title: 'without' },
    ])
    const digest = createHash('sha256').update(damaged).digest('hex')
    await server.putBlob(digest, damaged.subarray(0, 100))
    for (const width of [320, 390, 1440, 2560]) {
      await page.setViewportSize({ width, height: 700 })
      await page.goto(`${server.url}/dataset/${name}/item?as=gallery&show=${ids[0]}`)
      for (const [natural, index] of [
        [1600, 0],
        [90, 1],
      ] as const) {
        await expect.poll(() => widthOf(viewer(page).locator('img'))).toBe(natural)
        const beyond = await viewer(page).evaluate((dialog) => [
          dialog.scrollWidth - globalThis.innerWidth,
          dialog.scrollHeight - globalThis.innerHeight,
        ])
        expect(Math.max(...beyond), `${index} at ${width}`).toBeLessThanOrEqual(0)
        await expect(viewer(page).getByRole('button', { name: 'Close' })).toBeInViewport({
          ratio: 1,
        })
        await expect(viewer(page).getByRole('button', { name: 'Verify' })).toBeInViewport({
          ratio: 1,
        })
        if (width === 390 || width === 1440)
          await expectAccessible(page, `viewer ${index} at ${width}`)
        await page.keyboard.press('ArrowRight')
      }
      for (const text of ['damaged', 'cannot be shown', 'no picture']) {
        await expect(viewer(page).getByRole('status').getByText(text)).toBeVisible()
        await page.keyboard.press('ArrowRight')
      }
    }
    await page.goto(`${server.url}/dataset/${name}/item?as=gallery&show=99999`)
    await expect(viewer(page).getByRole('alert')).toContainText('dataset or item not found')
    await page.keyboard.press('Escape')
    await expect(viewer(page)).toBeHidden()
  })
})
