import type { Page } from '@playwright/test'
import type { Feature } from '@vitrine/contract'

/** Takes a feature, or all of them, from what the server announces to a page. */
export async function withholdFeature(page: Page, feature?: Feature): Promise<void> {
  await page.route('**/config.json', async (route) => {
    const reply = await route.fetch()
    const config = (await reply.json()) as { features: string[] }
    const features = config.features.filter((each) => feature !== undefined && each !== feature)
    await route.fulfill({ response: reply, json: { ...config, features } })
  })
}
