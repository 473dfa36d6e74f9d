import type { Page } from '@playwright/test'

/** Holds back the replies of some addresses until what comes back is called; then they pass as ever. */
export async function holdReplies(page: Page, address: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}
