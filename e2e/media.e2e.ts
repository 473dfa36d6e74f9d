import { addItem, type Client } from '@vitrine/client'
import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'

/** A tenth of a second of silence: RIFF, one channel of 8 bits, 8,000 a second. */
function silence(): Buffer<ArrayBuffer> {
  const samples = Buffer.alloc(800, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF')
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

/** One page, and a script that tells of itself when it is opened. */
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\("ran"\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj
trailer<</Root 1 0 R>>`

const script =
  '<script>document.title = "ran"</script><img src=x onerror="document.title = \'ran\'">'

const values = {
  sound: ['audio/wav', silence()],
  film: ['video/mp4', 'no film at all'],
  paper: ['application/pdf', pdf],
  page: ['text/html', script],
  drawing: ['application/xhtml+xml', `<html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`],
  notes: ['text/plain', 'Grüße\nسطر من اليمين\n'],
  log: ['text/csv', `n\n${'0123456789\n'.repeat(12_000)}end`],
  marked: ['text/plain', Buffer.from('\ufeffsixteen bits', 'utf16le')],
  facts: ['application/json', '{"colour":["red",{"depth":2}]}'],
  exact: ['application/json', '{"n":12345678901234567890}'],
  half: ['application/json', '{"n":'],
  other: ['application/octet-stream', 'bytes'],
} as const

async function addMedia(client: Client, name: string): Promise<number> {
  const entries = Object.entries(values)
  await client.repoCreate({
    body: { name, schema: entries.map(([name, [mime]]) => ({ name, type: 'binary', mime })) },
  })
  const blobs = entries.map(([name, [type, bytes]]) => [name, new Blob([bytes], { type })] as const)
  return addItem(client, name, Object.fromEntries(blobs))
}

/** The first of them is shown large, and not in the list. */
const listed = Object.keys(values).slice(1)
const valueOf = (page: Page, name: keyof typeof values) =>
  page.getByRole('definition').nth(listed.indexOf(name))

async function show(page: Page, name: keyof typeof values) {
  const value = valueOf(page, name)
  await value.getByRole('button', { name: 'show', exact: true }).press('Enter')
  return value
}

test('sound is shown at once, PDF, text and JSON when one asks, and nothing in them runs', async ({
  page,
  context,
  client,
}) => {
  const name = newName('media')
  const id = await addMedia(client, name)
  const loaded: string[] = []
  page.on('request', (request) => void loaded.push(request.url()))
  page.on('dialog', (dialog) => {
    throw new Error(`the page was interrupted: ${dialog.message()}`)
  })
  await page.goto(`/dataset/${name}/item/${id}`)
  await expect(page.getByRole('definition').getByRole('button', { name: 'show' })).toHaveCount(
    listed.length,
  )
  const shownTitle = await page.title()

  const sound = page.getByRole('figure').locator('audio')
  await expect.poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.duration)).toBe(0.1)
  await sound.evaluate(async (audio: HTMLAudioElement) => {
    const ended = new Promise((done) => audio.addEventListener('ended', done, { once: true }))
    await audio.play()
    await ended
  })
  await expect((await show(page, 'film')).getByText('mime type not supported')).toBeVisible()

  const link = (await show(page, 'paper')).getByRole('link', { name: 'Open paper in a new tab' })
  const opening = context.waitForEvent('page')
  await link.press('Enter')
  const opened = await opening
  opened.on('dialog', (dialog) => void dialog.dismiss())
  await expect.poll(() => opened.url()).toMatch(/^blob:/)
  expect(await page.evaluate(() => globalThis.opener)).toBe(null)
  await opened.close()

  for (const run of ['page', 'drawing'] as const) {
    await expect((await show(page, run)).locator('pre')).toContainText('<script>')
  }
  await expect(page.locator('iframe, embed, object')).toHaveCount(0)
  expect(await page.title()).toBe(shownTitle)

  await expect((await show(page, 'notes')).locator('pre')).toHaveText('Grüße\nسطر من اليمين\n')
  await expect((await show(page, 'marked')).locator('pre')).toHaveText('sixteen bits')
  await expect((await show(page, 'facts')).locator('pre')).toContainText('"depth": 2')
  await expect((await show(page, 'exact')).locator('pre')).toHaveText('{"n":12345678901234567890}')
  await expect((await show(page, 'half')).locator('pre')).toHaveText('{"n":')
  await expect((await show(page, 'other')).getByText('mime type not supported')).toBeVisible()

  const log = await show(page, 'log')
  await expect(log).toContainText('The first 65.5 kB of 132 kB.')
  expect(await log.locator('pre').textContent()).toHaveLength(65_536)
  await expectAccessible(page, 'shown contents')
  await log.getByRole('button', { name: 'Show all' }).press('Enter')
  await expect(log.locator('pre')).toHaveText(/9\nend$/)
  await expect(log.getByRole('button', { name: 'Show all' })).toHaveCount(0)
  await page.setViewportSize({ width: 360, height: 780 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

/** A film of a canvas that changes, as the browser itself records it. */
function recordFilm(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d')!
    const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: 'video/webm' })
    const parts: Blob[] = []
    const isLong = new Promise<void>((done) => {
      recorder.ondataavailable = ({ data }) => {
        parts.push(data)
        if (parts.length === 3) done()
      }
    })
    let frames = 0
    const draw = () => {
      context.fillStyle = `rgb(${frames % 256} 0 0)`
      context.fillRect(0, 0, canvas.width, canvas.height)
      frames += 1
      if (recorder.state !== 'inactive') requestAnimationFrame(draw)
    }
    recorder.start(100)
    draw()
    await isLong
    const ended = new Promise((done) => (recorder.onstop = done))
    recorder.stop()
    await ended
    return Array.from(new Uint8Array(await new Blob(parts).arrayBuffer()))
  })
}

test('a film plays', async ({ page, client }) => {
  const name = newName('film')
  const schema = [{ name: 'film', type: 'binary', mime: 'video/webm' }]
  await client.repoCreate({ body: { name, schema } })
  await page.goto('/view/')
  const bytes = Uint8Array.from(await recordFilm(page))
  const id = await addItem(client, name, { film: new Blob([bytes], { type: 'video/webm' }) })
  await page.goto(`/dataset/${name}/item/${id}`)
  const film = page.locator('video')
  const width = await film.evaluate(async (video: HTMLVideoElement) => {
    video.muted = true
    const ended = new Promise((done) => video.addEventListener('ended', done, { once: true }))
    await video.play()
    await ended
    return video.videoWidth
  })
  expect(width).toBe(300)
})
