import { addItem } from '@vitrine/client'
import { expect, newName, test } from './app.ts'
import { editorOf, enterDescription } from './editor.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addNotes } from './sample-data.ts'

const stars = '  - name: stars\n    type: integer\n    optional: true\n'
const changes = 'What changes'

test(
  'a repository is extended by its YAML, with the keyboard alone',
  { tag: '@core' },
  async ({ page, client, server }) => {
    const name = newName('notes')
    const [id = 0] = await addNotes(client, name, 1)
    await page.goto(`/dataset/${name}`)
    const edit = page.getByRole('link', { name: 'Edit', exact: true })
    await edit.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${server.url}/repo/${name}/edit`)
    await expect(page.getByRole('heading', { name: `${name}: Edit` })).toBeVisible()
    await expect(page.getByText('Nothing yet. Items stay as they are')).toBeVisible()

    await editorOf(page).focus()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.insertText(`${stars}license: CC-BY-4.0\n`)
    const shown = page.getByRole('region', { name: changes })
    await expect(shown.getByRole('listitem')).toHaveText(['new license', 'starsnew integer'])

    // What was typed is kept over a reload.
    await page.reload()
    await expect(shown.getByRole('listitem')).toHaveText(['new license', 'starsnew integer'])
    expect((await client.datasetGet({ datasetId: name })).schema).toHaveLength(1)
    await page.getByRole('button', { name: 'Apply' }).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${server.url}/dataset/${name}`)
    await expect(page.getByRole('main')).toContainText('stars')
    await expect(page.getByRole('link', { name: 'CC-BY-4.0' })).toBeVisible()

    // Items have no value for it, and new ones may.
    await addItem(client, name, { text: 'starred', stars: 5 })
    await page.getByRole('main').getByRole('link', { name: 'Items', exact: true }).click()
    await expect(page.getByRole('columnheader', { name: 'stars' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'starred' })).toContainText('5')
    expect((await client.datasetItemGet({ datasetId: name, itemId: id })).data).toEqual({
      text: 'note 1',
    })
  },
)

test('a change that is no extension is shown with its reason, and is not sent', async ({
  page,
  client,
}) => {
  const name = newName('notes')
  await addNotes(client, name, 1)
  const { schema } = await client.datasetGet({ datasetId: name })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.url())
  })
  await page.goto(`/repo/${name}/edit`)
  await expect(editorOf(page)).toContainText('text')
  await enterDescription(
    page,
    `---\nname: ${name}\nschema:\n${stars}  - name: more\n    type: date\n`,
  )
  const refused = page.getByRole('region', { name: changes }).getByRole('listitem')
  await expect(refused).toHaveText([
    'textremovednot possible: items have it',
    'starsnew integer',
    'morenew datenot possible: items that are there have no value: make it optional',
  ])
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await expectAccessible(page, `refused changes at ${width}`)
  }
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('alert')).toContainText('The description has 2 problems')
  await expect(page.getByRole('alert')).toContainText('text: removed; items have it')
  expect(sent).toEqual([])
  expect((await client.datasetGet({ datasetId: name })).schema).toEqual(schema)
})

test('an edit is refused if it would remove a field that somebody else has just added', async ({
  page,
  client,
  console,
}) => {
  const name = newName('notes')
  await addNotes(client, name, 1)
  const { schema } = await client.datasetGet({ datasetId: name })
  await page.goto(`/repo/${name}/edit`)
  await expect(editorOf(page)).toContainText('text')
  const other = { name: 'other', type: 'boolean', optional: true }
  await client.repoExtend({ datasetId: name, body: { name, schema: [...schema, other] } })
  await editorOf(page).focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.insertText(stars)
  console.expect(/status of 409/)
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('alert')).toContainText('not an extension of the current one')
  await expect(page.getByText('existing: ').first()).toBeAttached()
  expect((await client.datasetGet({ datasetId: name })).schema).toHaveLength(2)
})

test('a view cannot be edited', async ({ page, client }) => {
  const notes = newName('notes')
  const view = newName('view')
  await addNotes(client, notes, 1)
  await client.viewCreate({ body: { name: view, base: notes } })
  await page.goto(`/dataset/${view}`)
  await expect(page.getByRole('button', { name: 'delete' })).toBeEnabled()
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0)
  await page.goto(`/repo/${view}/edit`)
  await expect(page.getByRole('alert')).toContainText(`${view} is a view`)
})
