import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, signedOut, test } from './app.ts'
import { looks, wear } from './looks.ts'
import { addPeople, picture } from './sample-data.ts'
import { clientOf, fillSignIn } from './sign-in.ts'

test.use(signedOut)

const rows = Array.from(
  { length: 300 },
  (_, index) => `Person ${index},${index % 90 === 1 ? 'New Zealand' : 'NZ'},x`,
)
const file = {
  name: 'people 2026.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['Full Name,nation,Remarks', ...rows, ''].join('\n')),
}

for (const look of looks) {
  test(`data in and out at ${look.width}, ${look.colorScheme}`, async ({
    page,
    launch,
    console,
  }) => {
    console.expect(/status of 422/)
    const save = await wear(page, look)
    const { url } = await launch()
    await enterCode(page, url, save)
    // The provider knows the browser now.
    await page.goto(url)
    await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
    const client = await clientOf(page)
    await addPeople(client, 'people')

    const schema = [
      { name: 'full_name', type: 'string', length: 12 },
      { name: 'country', type: 'string', length: 2, optional: true },
    ]
    await client.repoCreate({ body: { name: 'guests', schema } })
    await page.goto(`${url}/repo/guests/import`)
    await expect(page.getByText('You imported nothing in the last thirty days.')).toBeVisible()
    await save('import')
    await page.getByLabel('Choose a file').setInputFiles(file)
    await page.getByRole('combobox', { name: 'Column Full Name' }).selectOption('full_name')
    await page.getByRole('combobox', { name: 'Column nation' }).selectOption('country')
    await expect(page.getByRole('alert')).toContainText('would be refused')
    await save('import-chosen')
    await page.getByRole('combobox', { name: 'When a row is refused' }).selectOption('skip')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByRole('region', { name: 'The import' })).toContainText('items imported')
    await save('import-done')

    await page.goto(`${url}/dataset/people`)
    await page.getByRole('button', { name: 'Export' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await save('export')

    await page.goto(`${url}/addrepo`)
    await page.getByLabel('Choose data').setInputFiles(file)
    await expect(page.getByRole('button', { name: 'Create and import' })).toBeVisible()
    await save('add-repository-from-data')

    const folder = mkdtempSync(join(tmpdir(), 'vitrine-screenshots-'))
    const summer = join(folder, 'summer')
    mkdirSync(summer)
    for (let index = 0; index < 24; index += 1) {
      writeFileSync(join(summer, `${index}.png`), picture(index))
    }
    writeFileSync(join(summer, 'notes.txt'), 'not a picture')
    await client.repoCreate({
      body: {
        name: 'album',
        schema: [
          { name: 'image', type: 'binary', mime: 'image/png' },
          { name: 'title', type: 'string', length: 20 },
        ],
      },
    })
    await page.goto(`${url}/repo/album/addfiles`)
    await expect(page.getByLabel('a folder')).toBeAttached()
    await save('add-files')
    await page.getByLabel('a folder').setInputFiles(summer)
    const progress = page.getByRole('region', { name: 'Progress' })
    await expect(progress).toContainText('0 of 25 files')
    await save('add-files-chosen')
    await page.getByRole('button', { name: 'Add 25 files' }).click()
    await expect(progress).toContainText('24 of 25 files, 1 refused')
    await save('add-files-done')
    rmSync(folder, { recursive: true })
  })
}

/** Signs a command line in that runs elsewhere (RFC 8628 §3.3). */
async function enterCode(
  page: Page,
  url: string,
  save: (name: string) => Promise<void>,
): Promise<void> {
  const { user_code: code } = (await (
    await fetch(`${url}/realms/local/device/auth`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'vitrine-cli', scope: 'openid profile' }),
    })
  ).json()) as { user_code: string }
  await page.goto(`${url}/realms/local/device`)
  await save('device')
  await page.getByRole('textbox').fill(code)
  await page.getByRole('button').click()
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible()
  await save('device-sign-in')
  await fillSignIn(page)
  await expect(page.getByRole('heading')).toContainText('signed in')
  await save('device-signed-in')
}
