import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { root } from './root.mjs'
import { startDemo } from './start-demo.ts'

// `npm run demo-screens`: pictures of the main screens with the demo, at four widths, light and dark, one sheet a
// screen, into docs/images/screens (docs/screens.md).

const sizes = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
]
/** Height of a picture in a sheet. */
const shown = 380

/** Each screen: its name, where it is, and a text that is there once it is whole. */
const screens: [name: string, path: string, shows: string][] = [
  ['home', '/dataset/', 'country-facts'],
  ['home-cards', '/dataset/?as=cards', 'country-facts'],
  ['dataset', '/dataset/cities', 'Schema'],
  ['items', '/dataset/cities/item', 'Shanghai'],
  ['items-filtered', '/dataset/cities/item?q=ulm&order=-population', 'Ulm'],
  ['statistics', '/dataset/countries/item?heads=statistics', 'Albania'],
  ['item-beside', '/dataset/cities/item?item=5', 'Mexico City'],
  ['gallery', '/dataset/emoji/item?as=gallery', 'grinning'],
  ['plot', '/dataset/countries/item?as=plot&x=region', 'Europe'],
  ['map', '/dataset/cities/item?as=plot&x=longitude&y=latitude', 'The first 10,000'],
  ['item', '/dataset/cities/item/5', 'Mexico City'],
  ['summary', '/dataset/countries/summary', 'subregion'],
  ['add-item', '/repo/cities/additem', 'country'],
  ['add-view', '/addview', 'Ctrl Space'],
  ['state', '/dataset/cities@1000', 'Go to now'],
  ['tokens', '/token/', 'Create token'],
  ['audit', '/audit', 'country-facts'],
]

await using opened = new AsyncDisposableStack()
const { browser, page, url } = await startDemo(opened)
// Views are looked at while they are shown, which takes long beside other work.
page.setDefaultTimeout(180_000)

const folder = join(root, 'docs', 'images', 'screens')
mkdirSync(folder, { recursive: true })
for (const [name, path, shows] of screens) {
  const pictures: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const size of sizes) {
      await page.setViewportSize(size)
      await page.goto(url + path)
      await page.getByText(shows).filter({ visible: true }).first().waitFor()
      await page.waitForLoadState('networkidle')
      const picture = await page.screenshot({ animations: 'disabled' })
      pictures.push(picture.toString('base64'))
    }
  }
  await writeSheet(browser, join(folder, `${name}.jpg`), pictures)
  if (name === 'home-cards') {
    // The README begins with it.
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.screenshot({ animations: 'disabled', path: join(folder, '../datasets.png') })
  }
  console.log(name)
}

/** Puts pictures beside each other, those of light above those of dark. */
async function writeSheet(browser: Browser, path: string, pictures: string[]): Promise<void> {
  const sheet = await browser.newPage()
  const rows = [pictures.slice(0, sizes.length), pictures.slice(sizes.length)].map((row) => {
    const images = row.map((each) => `<img height="${shown}" src="data:image/png;base64,${each}">`)
    return `<div style="display:flex;gap:12px">${images.join('')}</div>`
  })
  await sheet.setContent(
    `<body style="margin:0"><main style="display:inline-grid;gap:12px;padding:12px;background:#999">${rows.join('')}</main>`,
  )
  await sheet.setViewportSize({ width: 2200, height: 900 })
  await sheet.getByRole('main').screenshot({ path, type: 'jpeg', quality: 72 })
  await sheet.close()
}
