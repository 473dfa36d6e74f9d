import { expect, type Locator, type Page } from '@playwright/test'

/** The editor of the screens Add Repository and Add View. */
export function editorOf(page: Page): Locator {
  return page.getByRole('textbox', { name: /^Enter YAML (?:repository|view) description$/ })
}

/** Puts a description in place of what the editor holds, as a paste would. */
export async function enterDescription(page: Page, text: string): Promise<void> {
  const editor = editorOf(page)
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
  const firstLine = text.split('\n').find((line) => line !== '---') ?? ''
  await expect(editor).toContainText(firstLine)
}
