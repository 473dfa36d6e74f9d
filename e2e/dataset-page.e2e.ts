import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { looks, wear } from './looks.ts'
import { addNotes } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'

const readme = `# Rivers

Levels of **rivers**, by [the office](https://example.org/office), every day.

![a river](https://pictures.example/river.png) [press me](javascript:window.pressed=1) <script>window.ran=1</script>

| gauge | height |
| ----- | ------ |
| Ulm | 479 |

- [x] measured
- [ ] checked

\`\`\`
${'a_long_line_of_code '.repeat(20)}
\`\`\`

${'word'.repeat(60)}

<img src="https://pictures.example/other.png" onerror="window.ran=1">
`

test('a dataset introduces itself before its schema, whose JSON is folded', async ({
  page,
  client,
}) => {
  const name = newName('rivers')
  await client.repoCreate({
    body: {
      name,
      description: 'Heights of rivers',
      license: 'CC-BY-4.0',
      source: 'https://example.org/rivers',
      readme: '# Rivers',
      schema: [
        { name: 'gauge', type: 'string', length: 80 },
        { name: 'height', type: 'number', optional: true },
      ],
    },
  })
  await page.goto(`/dataset/${name}`)
  await expect(page.getByText('Heights of rivers')).toBeVisible()
  const license = page.getByRole('link', { name: 'CC-BY-4.0' })
  await expect(license).toHaveAttribute('href', 'https://spdx.org/licenses/CC-BY-4.0.html')
  for (const link of [license, page.getByRole('link', { name: 'https://example.org/rivers' })]) {
    await expect(link).toHaveAttribute('rel', /noopener/)
  }
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Readme',
    'Growth',
    'Load it',
    'Schema',
    'References to',
    'Referenced by',
    'Cite',
    'Proof',
    'History',
    'States',
  ])
  await expect(page.getByRole('row', { name: /^height number/ })).toContainText('no')

  const json = page.getByRole('region', { name: 'schema as JSON' })
  await expect(json).toBeHidden()
  await page.getByText('Schema as JSON').focus()
  await page.keyboard.press('Enter')
  await expect(json).toContainText('"name": "gauge"')

  const program = page.getByRole('region', { name: 'Program' })
  await expect(program).toContainText(`/api/dataset/${name}/export?format=parquet`)
  await page.getByRole('combobox', { name: 'Program for' }).selectOption('Command line')
  await expect(program).toContainText(`vitrine export ${name} --output ${name}.parquet`)
})

test('a readme is shown as what it means, and brings nothing with it', async ({ page, client }) => {
  const name = newName('rivers')
  await client.repoCreate({
    body: { name, readme, schema: [{ name: 'gauge', type: 'string', length: 80 }] },
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).hostname))
  await page.goto(`/dataset/${name}`)
  const shown = page.getByRole('region', { name: 'Readme' })
  await expect(shown.getByRole('heading', { name: 'Rivers', level: 3 })).toBeVisible()
  await expect(shown.getByRole('cell', { name: '479' })).toBeVisible()
  await expect(shown.getByRole('listitem').first()).toHaveText('☑ measured')
  const office = shown.getByRole('link', { name: 'the office' })
  await expect(office).toHaveAttribute('href', 'https://example.org/office')
  await expect(office).toHaveAttribute('rel', /noopener/)

  // What would be a picture is a link to it, and what would be a script is nothing.
  await expect(shown.getByRole('link', { name: 'a river' })).toBeVisible()
  await expect(shown.locator('img, script, [onerror]')).toHaveCount(0)
  await expect(shown.getByText('press me')).toBeVisible()
  await expect(shown.getByRole('link', { name: 'press me' })).toHaveCount(0)
  expect(await page.evaluate(() => ['ran' in globalThis, 'pressed' in globalThis])).toEqual([
    false,
    false,
  ])
  expect(asked.filter((host) => host.endsWith('.example'))).toEqual([])

  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await sidewaysOverflow(page)).toBe(0)
    await expectAccessible(page, `a readme at ${width}`)
  }
})

test('a dataset’s neighbours stand on both sides of it, with what they are to it', async ({
  page,
  client,
  server,
}) => {
  const long = newName('stations').padEnd(128, '-long')
  const rivers = newName('rivers')
  const floods = newName('floods')
  const reports = newName('reports')
  await addNotes(client, long, 1)
  await client.repoCreate({
    body: {
      name: rivers,
      schema: [
        { name: 'station', type: 'reference', target: long },
        { name: 'above', type: 'reference', target: rivers, optional: true },
      ],
    },
  })
  await client.viewCreate({ body: { name: floods, base: rivers } })
  await client.repoCreate({
    body: { name: reports, schema: [{ name: 'river', type: 'reference', target: rivers }] },
  })
  await page.goto(`/dataset/${rivers}`)
  const from = page.getByRole('list', { name: 'Comes from' })
  await expect(from.getByRole('listitem')).toHaveText([`${long}station`])
  const uses = page.getByRole('list', { name: 'Used by' })
  await expect(uses.getByRole('listitem').filter({ hasText: floods })).toContainText(/view$/)
  await expect(uses.getByRole('listitem').filter({ hasText: reports })).toContainText(/reference$/)
  for (const width of [320, 390, 1440, 2560]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await sidewaysOverflow(page)).toBe(0)
  }
  await expectAccessible(page, 'a dataset with neighbours')

  await uses.getByRole('link', { name: floods }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${server.url}/dataset/${floods}`)
  await expect(from.getByRole('listitem').filter({ hasText: rivers })).toContainText(/base/)
})

test('the list of fifty neighbours shows the first eight, and all on request', async ({
  page,
  client,
}) => {
  const rivers = newName('rivers')
  await addNotes(client, rivers, 1)
  for (let number = 1; number <= 50; number += 1) {
    await client.viewCreate({ body: { name: `${rivers}-view-${number}`, base: rivers } })
  }
  for (const look of looks) {
    const save = await wear(page, look)
    await page.goto(`/dataset/${rivers}`)
    const uses = page.getByRole('list', { name: 'Used by' }).getByRole('listitem')
    await expect(uses).toHaveCount(8)
    await page.getByRole('button', { name: 'Show all 50' }).click()
    await expect(uses).toHaveCount(50)
    await expect(uses.last()).toContainText(/view$/)
    await save('neighbours')
  }
})

test('a dataset shows how it has grown', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes, 3)
  await page.goto(`/dataset/${notes}`)
  const growth = page.getByRole('region', { name: 'Growth' })
  await expect(growth).toContainText(/^Growth3 items, the last added /)
  // As many steps as items: each is there from when it was added.
  const steps = await growth.locator('path').getAttribute('d')
  expect(steps?.match(/V /g)).toHaveLength(4)
  const last = newName('last')
  await client.viewCreate({ body: { name: last, base: notes, order: ['-id'], limit: 1 } })
  await page.goto(`/dataset/${last}`)
  await expect(growth).toContainText('filters or cuts off what is sorted')
  const nothing = newName('nothing')
  await client.repoCreate({ body: { name: nothing, schema: [{ name: 'word', type: 'string' }] } })
  await page.goto(`/dataset/${nothing}`)
  await expect(growth).toContainText('No items yet.')
})

test('a dataset introduces itself in every look', async ({ page, client }) => {
  const name = newName('rivers')
  const stations = newName('stations')
  await addNotes(client, stations, 1)
  await client.repoCreate({
    body: {
      name,
      description: 'Heights of rivers, measured every day at noon',
      license: 'CC-BY-4.0',
      source: 'https://example.org/rivers',
      readme,
      schema: [
        { name: 'gauge', type: 'string', length: 80 },
        { name: 'station', type: 'reference', target: stations, optional: true },
      ],
    },
  })
  for (const look of looks) {
    const save = await wear(page, look)
    await page.goto(`/dataset/${name}`)
    await expect(page.getByRole('region', { name: 'Readme' })).toContainText('checked')
    expect(await sidewaysOverflow(page)).toBe(0)
    await save('introduction')
  }
})
