import { PredefinedNetworkConditions, type Page } from 'puppeteer-core'
import type { Figure, Measurement } from './measurement.ts'
import { openSignedInBrowser } from './signed-in-browser.ts'

/** Each screen, and a text that is there once it is whole. */
const screens: [screen: string, path: string, shows: string][] = [
  ['Datasets', '/dataset/', 'country-facts'],
  ['items', '/dataset/cities/item', 'Shanghai'],
  ['an item', '/dataset/cities/item/5', 'Mexico City'],
  ['a dataset', '/dataset/cities', 'Schema'],
  ['a summary', '/dataset/countries/summary', 'subregion'],
  ['a gallery', '/dataset/emoji/item?as=gallery', 'grinning'],
  ['Repositories', '/repo/', 'country-facts'],
  ['Views', '/view/', 'eu-since'],
  ['Add Item', '/repo/cities/additem', 'country'],
  ['Access tokens', '/token/', 'Create token'],
  ['Audit', '/audit', 'country-facts'],
]

const windows = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

type Shifts = { shifts: { value: number; moved: string[] }[] }

/** How much of a screen moves while it loads: the sum of its layout shifts, as https://web.dev/articles/cls weighs them. */
export const layoutShifts: Measurement = {
  name: 'layout-shifts',
  engines: ['sqlite'],
  run: async (opened) => {
    const { server, page } = opened.use(await openSignedInBrowser())
    // A screen asks on while a view or a summary is being made, which takes long beside other work.
    page.setDefaultNavigationTimeout(180_000)
    // A summary that nobody has asked for yet fills up while it is shown.
    for (const [, path] of screens) {
      await page.goto(server.url + path, { waitUntil: 'networkidle0' })
    }
    await page.evaluateOnNewDocument(observeShifts)
    // What comes late moves what has been seen.
    await page.emulateNetworkConditions(PredefinedNetworkConditions['Slow 4G'])
    const figures: Figure[] = []
    for (const window of windows) {
      await page.setViewport(window)
      for (const [screen, path, shows] of screens) {
        await page.goto(server.url + path, { waitUntil: 'networkidle0' })
        await page.locator(`::-p-text(${shows})`).wait()
        figures.push(await figureOf(page, `${screen} at ${window.width}`))
      }
    }
    return figures
  },
}

async function figureOf(page: Page, what: string): Promise<Figure> {
  const { shifts } = await page.evaluate(() => ({
    shifts: (globalThis as unknown as Shifts).shifts,
  }))
  for (const { value, moved } of shifts) console.log(`  ${what}, ${value}: ${moved.join(', ')}`)
  const value = shifts.reduce((sum, each) => sum + each.value, 0)
  return { what, value, unit: '', goal: { atMost: 0 } }
}

function observeShifts(): void {
  const page = globalThis as unknown as Shifts
  page.shifts = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources } = entry as PerformanceEntry & {
        value: number
        sources: { node: Node | null }[]
      }
      const moved = sources.map(({ node }) => {
        const element = node instanceof Element ? node : node?.parentElement
        return `${element?.tagName} ${element?.className}`
      })
      page.shifts.push({ value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
