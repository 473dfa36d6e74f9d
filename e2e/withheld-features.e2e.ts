import { createClient } from '@vitrine/client'
import type { Feature } from '@vitrine/contract'
import { expect, test } from './app.ts'
import { addSamples } from './feature-samples.ts'
import type { FeatureScreen } from './feature-marks.ts'
import { featureScreens } from './feature-screens.ts'
import { withholdFeature } from './withhold-feature.ts'

test.beforeAll(async ({ server, account }) => {
  await addSamples(createClient({ baseUrl: server.url, token: () => account.token }))
})

for (const [feature, screens] of Object.entries<FeatureScreen[] | string>(featureScreens)) {
  if (typeof screens === 'string') continue
  test(`a server that announces no ${feature} shows and is sent nothing of it`, async ({
    page,
  }) => {
    let requests: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/api/')) requests.push(pathname + search)
    })
    const requestsOf = ({ sends }: FeatureScreen) =>
      requests.filter((each) => sends?.test(each) ?? false)
    const open = async (screen: FeatureScreen) => {
      // No request of the screen before is counted.
      await page.goto('about:blank')
      requests = []
      await page.goto(screen.path)
      await screen.open?.(page)
    }
    for (const screen of screens) {
      await open(screen)
      for (const mark of screen.shows) await expect(mark(page).first(), screen.path).toBeVisible()
      if (screen.sends !== undefined) await expect.poll(() => requestsOf(screen)).not.toEqual([])
    }
    await withholdFeature(page, feature as Feature)
    for (const screen of screens) {
      await open(screen)
      await expect(screen.stays(page), screen.path).toBeVisible()
      for (const mark of screen.shows) await expect(mark(page), screen.path).toHaveCount(0)
      expect(requestsOf(screen), screen.path).toEqual([])
    }
  })
}
