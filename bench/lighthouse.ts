import lighthouse, { desktopConfig } from 'lighthouse'
import type { Page } from 'puppeteer-core'
import type { Figure, Goal, Measurement } from './measurement.ts'
import { openSignedInBrowser } from './signed-in-browser.ts'
import { median } from './statistics.ts'

/** Lighthouse simulates the network but not the processor, so one run says little. */
const rounds = 3

const categories = ['performance', 'accessibility', 'best-practices', 'seo']

/** Lighthouse on the Datasets screen of somebody who is signed in. */
export const lighthouseScores: Measurement = {
  name: 'lighthouse',
  engines: ['sqlite'],
  run: async (opened) => {
    const { server, page } = opened.use(await openSignedInBrowser())
    const url = `${server.url}/dataset`
    return [
      ...(await scores(page, url, 'desktop', () => ({ atLeast: 100 }))),
      ...(await scores(page, url, 'mobile', (category) =>
        category === 'performance' ? { atLeast: 95 } : undefined,
      )),
    ]
  },
}

async function scores(
  page: Page,
  url: string,
  device: 'desktop' | 'mobile',
  goalOf: (category: string) => Goal | undefined,
): Promise<Figure[]> {
  const config = device === 'desktop' ? desktopConfig : undefined
  const values = new Map(categories.map((category) => [category, [] as number[]]))
  const failed = new Set<string>()
  for (let round = 0; round < rounds; round += 1) {
    // The session is kept in the page's storage, which Lighthouse would else clear.
    const flags = { disableStorageReset: true, logLevel: 'error' as const }
    const result = await lighthouse(url, flags, config, page)
    if (result === undefined) throw new Error('Lighthouse gave no result')
    const { lhr } = result
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
  for (const each of failed) console.log(`  ${device}, below full marks: ${each}`)
  return [...values].map(([category, of]) => {
    const goal = goalOf(category)
    return {
      what: `Lighthouse ${device}: ${category}`,
      value: median(of),
      unit: '',
      ...(goal !== undefined && { goal }),
    }
  })
}
