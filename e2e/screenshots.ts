import { addItem } from '@vitrine/client'
import { expect, signedOut, test } from './app.ts'
import { enterDescription } from './editor.ts'
import { looks, wear } from './looks.ts'
import { photo, picture } from './sample-data.ts'
import { fillScreens } from './screens.ts'
import { clientOf, signIn } from './sign-in.ts'

/** Repositories that fill the first page of the lists. */
const others = [
  'tide-gauges',
  'street-signs',
  'soil-samples',
  'ship-logs',
  'seed-bank',
  'river-levels',
  'pollen-slides',
  'old-maps',
  'moth-traps',
  'letters-1890',
  'herbarium',
  'handwriting',
  'glaciers',
  'fonts',
  'field-recordings',
  'coins',
  'bird-calls',
  'apple-varieties',
]

test.use(signedOut)

for (const look of looks) {
  test(`every screen at ${look.width}, ${look.colorScheme}`, async ({ page, launch, console }) => {
    console.expect(/status of (?:4(?:0[049]|22)|500)/)
    const save = await wear(page, look)
    const { url } = await launch()
    await page.goto(url)
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible()
    await save('sign-in')
    await signIn(page, url)
    await expect(page.getByText('You do not have any records yet.')).toBeVisible()
    await save('datasets-empty')

    const client = await clientOf(page)
    const screens = await fillScreens(client, (word) => word)
    for (const [index, name] of others.entries()) {
      await client.repoCreate({ body: { name, schema: [{ name: 'label', type: 'string' }] } })
      const title = `Contact sheet ${index + 1}, frame ${(index * 7) % 36}`
      const image = new Blob([picture(index + 4)], { type: 'image/png' })
      await addItem(client, 'photos', photo(1, { title, image }))
    }
    for (const { name, path, shows } of screens) {
      await page.goto(url + path)
      await expect(page.getByRole('main')).toContainText(shows)
      await save(name)
    }

    const search = new URLSearchParams({
      where: '{"taken_by.name":{"icontains":"ada"},"title":{"contains":"frame"}}',
      order: '-title',
    })
    await page.goto(`${url}/dataset/photos/item?${search}`)
    await expect(page.getByRole('region', { name: 'Filters' })).toContainText('18 items')
    await save('items-explored')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await save('filter')

    await page.goto(`${url}/addview`)
    await enterDescription(
      page,
      '---\nname: contact-sheets\nbase: photos\nwhere:\n  title: { contains: frame }\n  taken_by.name: { eq: Ada Lovelace }\norder: -createdAt\nfields:\n  - image\n  - { name: caption, from: title }\n',
    )
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(preview.getByText('18 items')).toBeVisible()
    await page.keyboard.type('  - ')
    await page.keyboard.press('ControlOrMeta+Space')
    await expect(page.getByRole('listbox')).toBeVisible()
    await save('add-view-suggestions')
    await enterDescription(
      page,
      '---\nname: contact-sheets\nbase: photos\nwhere:\n  taken_by.name: { eq: Ada Lovelace }\n  title: { eq: The mill }\n',
    )
    await expect(preview).toContainText('lets no item through')
    await save('add-view-nothing')

    const item = screens.find(({ name }) => name === 'item')?.path ?? ''
    await page.goto(url + item)
    await expect(page.getByRole('img', { name: 'image' })).toBeVisible()
    await page.getByText('Digests', { exact: true }).click()
    await page.getByRole('button', { name: 'Verify all' }).click()
    await expect(page.getByText('matches').first()).toBeVisible()
    await save('item-verified')

    await page.goto(`${url}/dataset/captions`)
    await page.getByRole('button', { name: 'delete' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await save('delete')

    await page.goto(`${url}/dataset/people`)
    await page.getByRole('button', { name: 'delete' }).click()
    await expect(page.getByRole('dialog')).toContainText('cannot be deleted')
    await save('delete-refused')

    await page.goto(`${url}/dataset/no-such-one`)
    await expect(page.getByRole('alert')).toBeVisible()
    await save('load-error')

    await page.goto(`${url}/addrepo`)
    await enterDescription(
      page,
      '---\nname: people\nschema:\n  # Who took it\n  - { name: name, type: string, length: 80 }\n  - { name: portrait, type: binary, mime: image/jpeg }\n',
    )
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByRole('region', { name: 'Difference' })).toBeVisible()
    await save('add-repository-taken')
    await enterDescription(page, '---\nname: people\nschemma: []\n')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByRole('alert')).toContainText('Line')
    await save('add-repository-problem')

    await page.goto(`${url}/repo/photos/additem`)
    await page.getByRole('textbox', { name: 'title' }).fill('Evening at the mill')
    await page.getByRole('combobox', { name: 'taken_by' }).fill('1')
    await expect(page.getByRole('link', { name: 'Ada Lovelace' })).toBeVisible()
    await page
      .getByLabel('image', { exact: true })
      .setInputFiles({ name: 'mill.png', mimeType: 'image/png', buffer: picture(2) })
    await page
      .getByLabel('raw', { exact: true })
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
    await page.getByRole('button', { name: 'Submit' }).click()
    await save('add-item-filled')
    await page.getByRole('button', { name: 'Remove' }).last().click()
    await page.route('**/commit', (route) => route.fulfill({ status: 500 }))
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await save('add-item-steps')

    await page.goto(`${url}/?error=access_denied&error_description=The+door+is+shut&state=x`)
    await expect(page.getByRole('heading', { name: 'Sign-in failed' })).toBeVisible()
    await save('sign-in-failed')

    await page.goto(`${url}/realms/local/session/end`)
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
    await save('sign-out')
  })
}
