import { expect, newName, signedOut, test } from './app.ts'
import { clientOf, signIn } from './sign-in.ts'
import { addCities, createCities } from './typed-data.ts'

test(
  'a value of every type is entered, kept canonical and shown',
  { tag: '@core' },
  async ({ page, client }) => {
    const cities = newName('cities')
    await createCities(client, cities)
    await page.goto(`/repo/${cities}/additem`)
    const submit = page.getByRole('button', { name: 'Submit' })
    const population = page.getByRole('textbox', { name: 'population' })
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Oslo')
    await page.getByRole('combobox', { name: 'size' }).selectOption('medium')
    await population.fill('1.5')
    await expect(population).toHaveAccessibleDescription(/Must be a whole number/)
    await submit.click()
    await expect(population).toBeFocused()
    await population.fill('0717710')
    await expect(page.getByText('Kept as 717710')).toBeVisible()
    await page.getByRole('textbox', { name: 'area' }).fill('454.10')
    const capital = page.getByRole('combobox', { name: 'capital' })
    await submit.click()
    await expect(capital).toHaveAccessibleDescription(/This field is required/)
    await capital.selectOption('true')
    await page.getByLabel('founded').fill('1048-01-01')
    await page.getByRole('textbox', { name: 'surveyed' }).fill('2026-11-22T15:04:05.250+01:00')
    const names = page.getByRole('textbox', { name: 'names' })
    await names.fill('{ "no": "Oslo", ')
    await expect(names).toHaveAccessibleDescription(
      /Must be JSON: a key in double quotes is expected at the end/,
    )
    await names.fill('{ "no": "Oslo", "en": ["Oslo", 1.0] }')
    await submit.click()

    await expect(page).toHaveURL(new RegExp(`/dataset/${cities}/item/\\d+$`))
    const values = page.getByRole('definition')
    await expect(values).toContainText([
      'Oslo',
      'medium',
      '717710',
      '454.1',
      'true',
      '1 Jan 1048',
      '2026-11-22T14:04:05.25Z',
      '"en": [',
    ])
    await page.getByRole('button', { name: 'Verify all' }).click()
    await page.getByText('Digests', { exact: true }).click()
    await expect(page.getByText('matches')).toHaveCount(8)
    const [item] = await client.datasetItemList({ datasetId: cities })
    expect(item?.data).toEqual({
      name: 'Oslo',
      size: 'medium',
      population: 717_710,
      area: 454.1,
      capital: true,
      founded: '1048-01-01',
      surveyed: '2026-11-22T14:04:05.25Z',
      names: { en: ['Oslo', 1], no: 'Oslo' },
    })
  },
)

test('a date that is half typed counts neither as a date nor as none', async ({ page, client }) => {
  const days = newName('days')
  await client.repoCreate({
    body: {
      name: days,
      schema: [
        { name: 'title', type: 'string', length: 40 },
        { name: 'day', type: 'date', optional: true },
      ],
    },
  })
  await page.goto(`/repo/${days}/additem`)
  const title = page.getByRole('textbox', { name: 'title' })
  const day = page.getByLabel('day')
  await title.fill('Half')
  // The same day whether it or the month comes first.
  await day.focus()
  await page.keyboard.type('10')
  await expect(day).not.toHaveAccessibleDescription(/Complete/)
  await title.focus()
  await expect(day).toHaveAccessibleDescription(/Complete the date, or clear it/)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(day).toBeFocused()
  // To the first part, from wherever the cursor came back to.
  for (const key of ['ArrowLeft', 'ArrowLeft', 'Backspace']) await page.keyboard.press(key)
  await expect(day).not.toHaveAccessibleDescription(/Complete/)

  // Enter submits before the focus leaves.
  await page.keyboard.type('10')
  await page.keyboard.press('Enter')
  await expect(day).toHaveAccessibleDescription(/Complete the date, or clear it/)
  await page.keyboard.type('102026')
  await expect(day).toHaveValue('2026-10-10')
  await expect(day).not.toHaveAccessibleDescription(/Complete/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('definition')).toContainText(['Half', '10 Oct 2026'])
})

test('a choice can be taken back, and what may be below 0 is typed on a whole keyboard', async ({
  page,
  client,
}) => {
  const sizes = newName('sizes')
  await client.repoCreate({
    body: {
      name: sizes,
      schema: [
        { name: 'size', type: 'string', choices: ['small', 'large'] },
        { name: 'colour', type: 'string', choices: ['', 'red'], optional: true },
        { name: 'depth', type: 'integer' },
        { name: 'warmth', type: 'number', optional: true },
      ],
    },
  })
  await page.goto(`/repo/${sizes}/additem`)
  const size = page.getByRole('combobox', { name: 'size' })
  const colour = page.getByRole('combobox', { name: 'colour' })
  await expect(size.getByRole('option')).toHaveText(['choose one', 'small', 'large'])
  await expect(colour.getByRole('option')).toHaveText(['no value', 'red'])
  await size.selectOption('large')
  await colour.selectOption('red')
  await colour.selectOption('no value')
  await size.selectOption('choose one')
  const depth = page.getByRole('textbox', { name: 'depth' })
  const warmth = page.getByRole('textbox', { name: 'warmth' })
  // The numeric keyboards of iOS have no minus.
  for (const input of [depth, warmth]) await expect(input).not.toHaveAttribute('inputmode')
  await depth.fill('-11')
  await warmth.fill('-2.50')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(size).toBeFocused()
  await expect(size).toHaveAccessibleDescription(/This field is required/)
  await size.selectOption('small')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('definition')).toContainText(['small', 'no value', '-11', '-2.5'])
  const [item] = await client.datasetItemList({ datasetId: sizes })
  expect(item?.data).toEqual({ size: 'small', depth: -11, warmth: -2.5 })
  await page.goto(`/dataset/${sizes}`)
  await expect(page.getByRole('row', { name: /^size/ })).toContainText('small, large')
})

test('a table of typed values is filtered and sorted as they are', async ({ page, client }) => {
  const cities = newName('cities')
  await addCities(client, cities)
  await page.goto(`/dataset/${cities}/item`)
  const names = page.getByRole('row').locator('td:nth-child(2)')
  await expect(names).toHaveText(['Oslo', 'Lagos', 'Rome', 'Tokyo'])
  const cell = page.getByRole('cell', { name: '717710', exact: true })
  await expect(cell).toHaveCSS('text-align', 'right')
  await expect(cell).toHaveCSS('font-variant-numeric', 'tabular-nums')
  const row = page.getByRole('row', { name: 'Oslo' })
  await expect(row.getByRole('cell', { name: '{"no":"Oslo"}' })).toBeVisible()
  const founded = row.getByText('1 Jan 1048')
  await expect(founded).toHaveAttribute('title', '1048-01-01')
  await expect(founded).toHaveAttribute('datetime', '1048-01-01')
  await expect(row.getByText('22 Nov 2026, 14:04')).toHaveAttribute(
    'title',
    '2026-11-22T14:04:05.25Z',
  )
  await expect(page.getByRole('row', { name: 'Rome' }).getByText('–')).toHaveCount(4)

  const addFilter = async (field: string, operator: string, enter: () => Promise<unknown>) => {
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByLabel('Field', { exact: true }).selectOption(field)
    await page.getByLabel('Operator').selectOption({ label: operator })
    await enter()
    await page.getByRole('dialog').getByRole('button', { name: 'Add filter' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  const value = page.getByRole('dialog').getByLabel('Value')
  await addFilter('population', '>', () => value.fill('5000000'))
  await expect(names).toHaveText(['Lagos', 'Tokyo'])
  const head = page.getByRole('columnheader', { name: 'population' })
  const sort = head.getByRole('button').first()
  // Numbers begin with the greatest.
  await sort.click()
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await expect(names).toHaveText(['Tokyo', 'Lagos'])
  await addFilter('capital', 'is', () => value.selectOption('false'))
  await expect(names).toHaveText(['Lagos'])
  await expect(page.getByText('capital is false')).toBeVisible()
})

test('a typed file is held to the types before anything is sent', async ({ page, client }) => {
  const cities = newName('cities')
  await createCities(client, cities)
  const header = 'name,size,population,area,capital,founded,surveyed,names'
  const choose = async (rows: string[]) => {
    const buffer = Buffer.from([header, ...rows, ''].join('\n'))
    const file = { name: 'cities.csv', mimeType: 'text/csv', buffer }
    await page.goto(`/repo/${cities}/import`)
    await page.getByLabel('Choose a file').setInputFiles(file)
  }
  const good = 'Oslo,medium,+0717710,454.10,YES,1048/01/01,2026-11-22 15:04+01:00,"{""no"": 1}"'
  await choose([
    good,
    'Rome,vast,2.5,"1,5",perhaps,2026-02-30,noon,{no}',
    'Lagos,large,15388000,,no,,,',
  ])
  const problems = page.getByRole('alert')
  await expect(problems).toContainText('Of the first 3 rows 1 would be refused')
  await expect(problems.getByRole('listitem')).toHaveText([
    /^Line 3: size must be one of "small", "medium", "large"$/,
    /^Line 3: population must be a whole number$/,
    /^Line 3: area must be a finite number/,
    /^Line 3: capital must be true or false$/,
    /^Line 3: founded must be a day/,
    /^and 2 more$/,
  ])
  await expect(page.getByTitle(/^names must be JSON/)).toHaveText('{no}')

  await choose([good, 'Lagos,large,15388000,,no,,,'])
  await expect(page.getByText('The first 2 rows fit the schema.')).toBeVisible()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText('2 items imported')).toBeVisible()
  const [oslo] = await client.datasetItemList({ datasetId: cities })
  expect(oslo?.data).toMatchObject({ population: 717_710, capital: true, founded: '1048-01-01' })
})

test.describe('a server that does not announce types', () => {
  test.use(signedOut)

  test('has no fields of the types that it may mean otherwise', async ({ page, launchOther }) => {
    const other = await launchOther()
    other.alter('GET /config.json', (reply) => ({
      ...reply,
      body: reply.body.replace('"types"', '"others"'),
    }))
    await signIn(page, other.url)
    const client = await clientOf(page)
    const [id] = await addCities(client, 'cities')
    await page.goto(`${other.url}/dataset/cities/item/${id}`)
    await expect(page.getByText('NOT IMPLEMENTED')).toHaveCount(6)
    await page.goto(`${other.url}/repo/cities/additem`)
    await expect(page.getByText('NOT IMPLEMENTED')).toHaveCount(6)
    await expect(page.getByRole('textbox', { name: 'population' })).toBeHidden()
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('This field is required')).toHaveCount(2)
  })
})
