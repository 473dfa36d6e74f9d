import type { Page } from '@playwright/test'

/** How many pixels a page is wider than its window. */
export function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}
