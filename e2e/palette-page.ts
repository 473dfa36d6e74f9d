import { expect, type Page } from '@playwright/test'

export const paletteOf = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' })

/** Opens the palette by its key, once there is somebody to hear it. */
export async function openPalette(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Search and commands' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(paletteOf(page).getByRole('combobox')).toBeFocused()
}
