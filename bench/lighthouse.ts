import lighthouse, { desktopConfig } from 'lighthouse'
import type { Page } from 'puppeteer-core'
import type { Figure, Measurement } from './measurement.ts'
import { openSignedInBrowser } from './signed-in-browser.ts'
import { median } from './statistics.ts'

/** Lighthouse simulates the network but not the processor, so one run says little. */
const rounds = 3

const categories = ['performance', 'accessibility', 'best-practices', 'seo']

const screens = [
  { screen: 'Datasets', path: '/dataset/' },
  { screen: 'items', path: '/dataset/cities/item' },
]

/** Lighthouse on the Datasets screen, and on the items of the demo's cities, of somebody who is signed in. */
export const lighthouseScores: Measurement = {
  name: 'lighthouse',
  engines: ['sqlite'],
  run: async (opened) => {
    const { server, page } = opened.use(await openSignedInBrowser())
    const figures: Figure[] = []
    for (const { screen, path } of screens) {
      for (const device of ['desktop', 'mobile'] as const) {
        figures.push(...(await scores(page, { screen, url: server.url + path, device })))
      }
    }
    return figures
  },
}

type Measured = { screen: string; url: string; device: 'desktop' | 'mobile' }

async function scores(page: Page, { screen, url, device }: Measured): Promise<Figure[]> {
  const config = device === 'desktop' ? desktopConfig : undefined
  const values = new Map(categories.map((category) => [category, [] as number[]]))
  const speeds: number[] = []
  const failed = new Set<string>()
  for (let round = 0; round < rounds; round += 1) {
    // The session is kept in the page's storage, which Lighthouse would else clear.
    const flags = { disableStorageReset: true, logLevel: 'error' as const }
    const result = await lighthouse(url, flags, config, page)
    if (result === undefined) throw new Error('Lighthouse gave no result')
    const { lhr } = result
    speeds.push(lhr.environment.benchmarkIndex)
    if (new URL(lhr.finalDisplayedUrl).pathname !== new URL(url).pathname) {
      throw new Error(`Lighthouse was led to ${lhr.finalDisplayedUrl}`)
    }
    for (const category of categories) {
      const { score, auditRefs } = lhr.categories[category]!
      values.get(category)?.push((score ?? 0) * 100)
      for (const { id, weight } of auditRefs) {
        const audit = lhr.audits[id]
        if (weight > 0 && audit?.score !== null && audit !== undefined && audit.score < 1) {
          failed.add(`${category}: ${audit.title} ${audit.displayValue ?? ''}`.trim())
        }
      }
    }
  }
  for (const each of failed) console.log(`  ${screen}, ${device}, below full marks: ${each}`)
  return [
    ...[...values].map(([category, of]) => ({
      what: `${screen}, ${device}: ${category}`,
      value: median(of),
      unit: '',
      goal: { atLeast: 95 },
    })),
    // A good score of performance needs a processor that has nothing else to do.
    { what: '  benchmark index of the processor meanwhile', value: median(speeds), unit: '' },
  ]
}
