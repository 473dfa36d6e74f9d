import { showBlob } from '../packages/web/src/ui/blob-url.ts'
import { expect, test } from './app.ts'

test('an image that goes before it is loaded is no error', async ({ page }) => {
  await page.goto('/')
  const show = await page.evaluateHandle<typeof showBlob>(`(${String(showBlob)})`)
  const width = await page.evaluate(async (show) => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    const blob = new Blob([svg], { type: 'image/svg+xml' })
    show(new Image(), blob)()
    const image = new Image()
    show(image, blob)
    await image.decode()
    return image.naturalWidth
  }, show)
  expect(width).toBe(9)
})
