import type { BrowserContext } from '@playwright/test'

/** In seconds; less than the silent request timeout, which runs by the same clock. */
const step = 5

/**
 * Moves the installed clock of a browser on and follows links meanwhile, as calls are made by that. Time
 * stands still while a renewal is under way.
 * @returns how often each tab renewed
 */
export async function countRenewals(
  context: BrowserContext,
  { seconds, clickEvery }: { seconds: number; clickEvery: number },
): Promise<number[]> {
  const pages = context.pages()
  await context.clock.pauseAt(await pages[0]!.evaluate(() => Date.now() + 1000))
  const counts = pages.map(() => 0)
  const underWay: Promise<unknown>[] = []
  for (const [index, page] of pages.entries()) {
    page.on('request', (request) => {
      if (!(request.postData() ?? '').includes('grant_type=refresh_token')) return
      counts[index]! += 1
      underWay.push(request.response().then((response) => response?.finished()))
    })
  }
  for (let second = step; second <= seconds; second += step) {
    await context.clock.runFor(step * 1000)
    await Promise.all(underWay)
    if (second % clickEvery !== 0) continue
    const name = second % (2 * clickEvery) === 0 ? 'Repos' : 'Views'
    for (const page of pages) {
      // A click waits for two frames, and a tab behind another one gets a frame a second.
      await page.getByRole('link', { name, exact: true }).press('Enter')
    }
  }
  return counts
}
