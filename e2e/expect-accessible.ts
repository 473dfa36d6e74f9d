import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { expect } from './app.ts'

/** Axe finds nothing on what is shown, in light and dark. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveCSS('color-scheme', new RegExp(colorScheme))
    // Half way through an animation, colours are not those that people read.
    await expect.poll(() => page.evaluate(endingAnimations)).toBe(0)
    await page.evaluate(axe.source)
    const violations = await page.evaluate(runWhileUnchanged)
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    )
    expect(found, `${what}, ${colorScheme}`).toEqual([])
  }
}

/** A caret blinks for ever. */
function endingAnimations(): number {
  return document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity).length
}

/** Runs axe again when elements came or left during its run, as those that left make it throw. */
async function runWhileUnchanged() {
  const { run } = (globalThis as unknown as { axe: typeof axe }).axe
  for (;;) {
    let hasChanged = false
    const observer = new MutationObserver(() => {
      hasChanged = true
    })
    observer.observe(document, { childList: true, subtree: true })
    const results = await run().catch((error: unknown) => {
      if (!hasChanged) throw error
    })
    hasChanged ||= observer.takeRecords().length > 0
    observer.disconnect()
    if (results && !hasChanged) return results.violations
  }
}
