import type { Page } from '@playwright/test'

type Shifted = { shifted: number; moves: string[] }

/** https://developer.mozilla.org/en-US/docs/Web/API/LayoutShift */
type LayoutShift = PerformanceEntry & {
  value: number
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/** Adds up, on every page from now on, how much of what stood there already has moved, and notes what. */
export function observeShifts(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const seen = globalThis as unknown as Shifted
    seen.shifted = 0
    seen.moves = []
    const placeOf = ({ x, y, width, height }: DOMRect) => `${x},${y} ${width}×${height}`
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[]) {
        seen.shifted += value
        for (const { node, previousRect, currentRect } of sources) {
          const what = `${node?.nodeName} ${node?.textContent?.slice(0, 60)}`
          seen.moves.push(`${what}: ${placeOf(previousRect)} → ${placeOf(currentRect)}`)
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** How much has moved on a page that is observed. */
export function shiftsOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as Shifted).shifted)
}

/** Returns the moves there, a line each: an element, and from where to where. */
export function movesOf(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as Shifted).moves)
}
