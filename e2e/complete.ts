import { expect, type Page } from '@playwright/test'
import { editorOf } from './editor.ts'

/** Opens the suggestions at the cursor, unless they are open by themselves, and gives their labels. */
export async function suggested(page: Page): Promise<string[]> {
  const options = await openSuggestions(page)
  return options.locator('.cm-completionLabel').allTextContents()
}

/** Takes a suggestion by keyboard alone. */
export async function take(page: Page, label: string): Promise<void> {
  const selected = page.locator('[role=option][aria-selected=true] .cm-completionLabel')
  const settled = { timeout: 1000 }
  // What was suggested before stays, without one selected, until what comes next is known.
  await expect(async () => {
    const labels = await suggested(page)
    expect(labels, 'what is suggested').toContain(label)
    for (let presses = 0; presses < labels.length; presses += 1) {
      if ((await selected.textContent(settled)) === label) break
      await page.keyboard.press('ArrowDown')
    }
    await expect(selected).toHaveText(label, settled)
  }).toPass()
  // Enter is ignored for a moment, so that it is not taken for a choice by surprise.
  await page.evaluate(() => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + 1000
  })
  await page.keyboard.press('Enter')
  await expect(editorOf(page)).toContainText(label)
}

/** Ends a line, which gives up what was suggested at its end. */
export async function endLine(page: Page): Promise<void> {
  const list = page.getByRole('listbox')
  if (await list.isVisible()) {
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
  }
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
}

async function openSuggestions(page: Page) {
  const list = page.getByRole('listbox')
  await expect(async () => {
    if (!(await list.isVisible())) await page.keyboard.press('ControlOrMeta+Space')
    await expect(list).toBeVisible({ timeout: 1000 })
  }).toPass()
  return list.getByRole('option')
}
