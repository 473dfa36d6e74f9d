import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'

const size = 300 * 1024 * 1024
let folder: string
let file: string
let digest: string

test.describe.configure({ mode: 'serial' })

/** 300 MB that no layer could compress or skip as a hole: a counter in every block of 1 MiB. */
function* blocks() {
  const block = Buffer.alloc(1024 * 1024)
  for (let at = 0; at < block.length; at += 4) block.writeUInt32LE((at * 2654435761) >>> 0, at)
  for (let number = 0; number < size / block.length; number += 1) {
    block.writeUInt32LE(number, 0)
    yield Buffer.from(block)
  }
}

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-e2e-upload-'))
  file = join(folder, 'recording.bin')
  await pipeline(blocks, createWriteStream(file))
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  digest = hash.digest('hex')
})

test.afterAll(() => rmSync(folder, { recursive: true }))

/** Keeps commits from the server, so that no insert is over before the test has looked; how to end that. */
async function holdCommits(page: Page): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/repo/*/item/*/commit', async (route) => {
    await held
    await route.continue()
  })
  return release
}

test('a large upload shows its progress and can be cancelled, and then done', async ({
  page,
  client,
}) => {
  const recordings = newName('recordings')
  await client.repoCreate({
    body: {
      name: recordings,
      schema: [
        { name: 'title', type: 'string', length: 80 },
        { name: 'bytes', type: 'binary', mime: 'application/octet-stream' },
      ],
    },
  })
  await page.goto(`/repo/${recordings}/additem`)
  await page.getByRole('textbox', { name: 'title' }).fill('All of it')
  await page.getByLabel('bytes', { exact: true }).setInputFiles(file)
  await expect(page.getByText('recording.bin')).toBeVisible()
  const release = await holdCommits(page)
  const shown = await page.evaluateHandle(collectTexts)
  await page.getByRole('button', { name: 'Submit' }).click()

  const progress = page.getByRole('region', { name: 'Progress' })
  const partOf = (name: string) => () =>
    progress.getByRole('progressbar', { name }).evaluate((bar: HTMLProgressElement) => bar.position)
  await expect.poll(partOf('Sent'), { intervals: [50] }).toBeGreaterThan(0)
  await expect(progress).toContainText(/of (?:300|31\d) M/)
  await progress.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toContainText('Request aborted')
  await expect(page.getByRole('textbox', { name: 'title' })).toHaveValue('All of it')
  await expect(page.getByText('recording.bin')).toBeVisible()
  expect((await client.datasetCount({ datasetId: recordings })).totalItems).toBe(0)

  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(partOf('Hashed'), { intervals: [50] }).toBeGreaterThan(0)
  release()
  await expect(page).toHaveURL(new RegExp(`/dataset/${recordings}/item/\\d+$`))
  expect((await shown.jsonValue()).filter((text) => /\/s, .+ left/.test(text))).not.toEqual([])
  const [item] = await client.datasetItemList({ datasetId: recordings })
  expect(item?.data).toEqual({ title: 'All of it', bytes: digest })
  await page.getByText('Digests', { exact: true }).click()
  await expect(page.getByTitle(digest)).toBeVisible()
})

test('leaving while an upload is under way asks first', async ({ page, client, server }) => {
  const recordings = newName('recordings')
  await client.repoCreate({
    body: {
      name: recordings,
      schema: [{ name: 'bytes', type: 'binary', mime: 'application/octet-stream' }],
    },
  })
  await page.goto(`/repo/${recordings}/additem`)
  await page.getByLabel('bytes', { exact: true }).setInputFiles(file)
  await holdCommits(page)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('region', { name: 'Progress' })).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Views' }).click()
  const dialog = page.getByRole('dialog', { name: 'An upload is under way' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(`${server.url}/view/`)
  expect((await client.datasetCount({ datasetId: recordings })).totalItems).toBe(0)
})

/** Collects what the progress says from now on. */
function collectTexts(): string[] {
  const texts: string[] = []
  new MutationObserver(() => {
    texts.push(document.querySelector('[aria-label=Progress]')?.textContent ?? '')
  }).observe(document, { childList: true, characterData: true, subtree: true })
  return texts
}
