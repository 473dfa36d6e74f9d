import type { Locator, Page } from '@playwright/test'
import { editorOf } from './editor.ts'
import { expect, newName, signedOut, test } from './app.ts'
import { admin } from './launch-server.ts'
import { picture } from './sample-data.ts'

test.use(signedOut)

/** Presses Tab until a control has the focus, which must be visible there or at what stands for it. */
async function tabTo(page: Page, control: Locator, seen = control): Promise<void> {
  await expect(seen).toBeVisible()
  const focused = () => control.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < 150 && !(await focused()); presses += 1) {
    await page.keyboard.press('Tab')
  }
  await expect(control).toBeFocused()
  await expect(seen).toBeInViewport()
}

test('from sign-in to a new item without a mouse', { tag: '@core' }, async ({ page, server }) => {
  const name = newName('by-keyboard')
  const lake = { name: 'lake.png', mimeType: 'image/png', buffer: picture() }
  // From the start, as what is listened for is told some time after it was asked for.
  page.on('filechooser', (chooser) => void chooser.setFiles(lake))
  await page.goto('/')
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused()
  await page.keyboard.type(admin.username)
  await page.keyboard.press('Tab')
  await page.keyboard.type(admin.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()

  await tabTo(page, page.getByRole('link', { name: 'Skip to content' }))
  await tabTo(page, page.getByRole('banner').getByRole('link', { name: 'Repos' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: 'Add', exact: true }))
  await page.keyboard.press('Enter')

  await tabTo(page, editorOf(page))
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.insertText(
    `\nname: ${name}\nschema:\n- {name: title, type: string}\n- {name: image, type: binary, mime: image/png}\n`,
  )
  await tabTo(page, page.getByRole('button', { name: 'Submit' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Request successful')).toBeVisible()
  await tabTo(page, page.getByRole('link', { name: 'Add Item' }))
  await page.keyboard.press('Enter')

  await tabTo(page, page.getByRole('textbox', { name: 'title' }))
  await page.keyboard.type('No mouse')
  await tabTo(page, page.getByLabel('image', { exact: true }), page.getByText('drop it here'))
  await page.keyboard.press('Enter')
  await expect(page.getByText('lake.png')).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Submit' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${server.url}/dataset/${name}/item/\\d+$`))

  await expect(page.getByRole('img', { name: 'image' })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Verify all' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('The item is what was added.')).toBeVisible()

  await page.goto(`/dataset/${name}`)
  await tabTo(page, page.getByRole('button', { name: 'delete' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'delete' })).toBeFocused()
})
