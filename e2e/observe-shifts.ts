import type { Page } from '@playwright/test'

type Shifted = { shifted: number }

/** Adds up, on every page from now on, how much of what stood there already has moved. */
export function observeShifts(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const sum = globalThis as unknown as Shifted
    sum.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        sum.shifted += (entry as PerformanceEntry & { value: number }).value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** How much has moved on a page that is observed. */
export function shiftsOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as Shifted).shifted)
}
