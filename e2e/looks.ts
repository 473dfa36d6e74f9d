import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

export type Look = { colorScheme: 'light' | 'dark'; width: 390 | 1440 }

/** How every screen is looked at. */
export const looks: Look[] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  ([390, 1440] as const).map((width) => ({ colorScheme, width })),
)

const folder = join(import.meta.dirname, '..', 'test-results', 'screenshots')

/** Gives a page its look; what comes back saves a picture of it under a name. */
export async function wear(
  page: Page,
  { colorScheme, width }: Look,
): Promise<(name: string) => Promise<void>> {
  mkdirSync(folder, { recursive: true })
  await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  return async (name) => {
    // What sticks to the window's edge would otherwise stand in the middle of the page.
    await page.evaluate(() => window.scrollTo(0, 0))
    await page.screenshot({
      path: join(folder, `${name}-${width}-${colorScheme}.png`),
      animations: 'disabled',
      fullPage: true,
    })
  }
}
