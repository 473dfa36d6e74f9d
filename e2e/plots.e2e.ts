import { expect, newName, test } from './app.ts'
import { addEveryType } from './every-type.ts'
import { expectAccessible } from './expect-accessible.ts'
import {
  addRows,
  chart,
  found,
  parameters,
  picker,
  plot,
  savedSvg,
  showValues,
  values,
} from './plot-page.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'

test('one column is bars, a histogram or a line, which filter at a click', async ({
  page,
  client,
}) => {
  const cities = await addEveryType(client)
  await page.goto(`/dataset/${cities}/item`)
  const look = page.getByRole('group', { name: 'Layout' })
  await look.getByRole('button', { name: 'Plot' }).click()
  await expect(chart(page)).toHaveAccessibleName(`Commonest values of size, ${cities}`)
  expect(parameters(page)).toEqual({ as: 'plot' })
  await expect(plot(page)).toContainText('5 items')
  await expect(plot(page).locator('[data-part="bar"] rect')).toHaveCount(2)
  await expectAccessible(page, 'bars')

  await plot(page).locator('[data-part="bar"] rect').first().click()
  await expect(found(page)).toHaveText('3 items')
  expect(parameters(page)).toEqual({ as: 'plot', where: '{"size":{"eq":"small"}}' })
  await expect(plot(page)).toContainText('5 items before the filter on size')
  await plot(page).locator('[data-part="bar"] rect').last().click()
  await expect(found(page)).toHaveText('2 items')
  await showValues(page)
  await expect(values(page)).toHaveText(['sizeitems', 'small3', 'large2'])
  await plot(page).getByRole('button', { name: 'large', pressed: true }).press('Enter')
  await expect(found(page)).toBeHidden()
  expect(parameters(page)).toEqual({ as: 'plot' })

  await picker(page, 'x').selectOption('people')
  await expect(chart(page)).toHaveAccessibleName(`Histogram of people, ${cities}`)
  await expect(plot(page)).toContainText('5 items, 1 without people')
  expect(parameters(page)).toEqual({ as: 'plot', x: 'people' })
  await picker(page, 'x').selectOption('founded')
  await expect(chart(page)).toHaveAccessibleName(`Items over the time of founded, ${cities}`)
  await picker(page, 'mark').selectOption('bars')
  await expect(chart(page)).toHaveAccessibleName(`Histogram of founded, ${cities}`)
  await page.reload()
  await expect(chart(page)).toHaveAccessibleName(`Histogram of founded, ${cities}`)
  expect(parameters(page)).toEqual({ as: 'plot', x: 'founded', mark: 'bars' })
  await expectAccessible(page, 'histogram')

  await picker(page, 'x').selectOption('land')
  await expect(chart(page)).toContainText('Norway')
  await page.getByRole('searchbox').fill('oslo')
  await expect(plot(page)).toContainText('2 items, 1 without land')
  expect(parameters(page)).toMatchObject({ as: 'plot', x: 'land', q: 'oslo' })
  await expect(picker(page, 'x').getByRole('option')).toHaveText([
    'name',
    'size',
    'people',
    'area',
    'coastal',
    'founded',
    'seen',
    'walk',
    'site',
    'land',
  ])
})

test('a plot is saved as an SVG that stands by itself', async ({ page, client }) => {
  const cities = await addEveryType(client)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`/dataset/${cities}/item?as=plot&x=size`)
  await expect(chart(page)).toBeVisible()
  const saved = await savedSvg(page)
  expect(saved).toMatchObject({ errors: 0, rects: 2, fileName: `${cities}-size.svg` })
  expect(saved.title).toBe(`Commonest values of size, ${cities}`)
  expect(saved.description).toBe('5 items')
  expect(saved.text).toContain('small')
  expect(saved.text).not.toMatch(/var\(|currentColor/)
  // The accent of the light scheme, also where the page is dark.
  expect(saved.text).toContain('rgb(13, 97, 85)')
  await expect(page.locator('html')).toHaveCSS('color-scheme', /dark/)
})

test('plots handle edge cases: no items, no values, no column, one value, extreme or very many values', async ({
  page,
  client,
}) => {
  const number = { name: 'n', type: 'number', optional: true }
  const none = await addRows(client, [number], [])
  await page.goto(`/dataset/${none}/item?as=plot`)
  await expect(page.getByText('Dataset has no Items')).toBeVisible()

  const missing = await addRows(client, [number], [{}, {}])
  await page.goto(`/dataset/${missing}/item?as=plot`)
  await expect(page.getByText('Of 2 items, none has a value in n')).toBeVisible()

  const json = await addRows(client, [{ name: 'facts', type: 'json' }], [{ facts: 1 }])
  await page.goto(`/dataset/${json}/item?as=plot`)
  await expect(page.getByText('No column can be plotted')).toBeVisible()

  for (const numbers of [[5], [-1.7e308, 1.7e308], [1e-320, 5e-320], [1e17, 1e17 + 16]]) {
    const rows = numbers.map((n) => ({ n }))
    await page.goto(`/dataset/${await addRows(client, [number], rows)}/item?as=plot`)
    await expect(chart(page)).toBeVisible()
    await expect(plot(page).locator('[data-part="rect"] rect').first()).toBeVisible()
  }

  const days = await addRows(
    client,
    [{ name: 'day', type: 'date' }],
    [{ day: '0001-01-01' }, { day: '9999-12-31' }],
  )
  await page.goto(`/dataset/${days}/item?as=plot`)
  await expect(chart(page)).toHaveAccessibleName(/^Items over the time of day/)

  const kinds = Array.from({ length: 20_000 }, (_, index) => ({
    kind: `${'k'.repeat(60)} ${index % 10_000}`,
  }))
  const many = await addRows(client, [{ name: 'kind', type: 'string', length: 80 }], kinds)
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/dataset/${many}/item?as=plot`)
    await expect(plot(page).locator('[data-part="bar"] rect')).toHaveCount(21)
    await expect(chart(page)).toContainText('9,980 others')
    await expect(chart(page)).toContainText('19,960')
    expect(await sidewaysOverflow(page)).toBe(0)
  }
})

test('a plot has its room before it is there, says what went wrong, and is a command', async ({
  page,
  client,
  console,
}) => {
  console.expect(/status of 500/)
  const cities = await addEveryType(client)
  let fails = true
  await page.route(/\/summary\?/, (route) =>
    fails ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await page.goto(`/dataset/${cities}/item`)
  await page.getByRole('row').first().waitFor()
  await page.keyboard.press('Control+k')
  await page
    .getByRole('dialog', { name: 'Search and commands' })
    .getByRole('combobox')
    .fill('show as plot')
  await page.getByRole('option', { name: 'Show as plot', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('unknown error')
  fails = false
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(chart(page)).toBeVisible()

  for (const width of [320, 1280]) {
    const { promise: held, resolve: pass } = Promise.withResolvers<void>()
    await page.unroute(/\/summary\?/)
    await page.route(/\/summary\?/, async (route) => {
      await held
      await route.continue()
    })
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/dataset/${cities}/item?as=plot&x=people`)
    const save = page.getByRole('button', { name: 'Download SVG' })
    await expect(save).toBeDisabled()
    const before = await save.boundingBox()
    pass()
    await expect(save).toBeEnabled()
    expect(await save.boundingBox()).toEqual(before)
  }
})

test('a view is plotted by its own field names, and filtered by a click on a bar', async ({
  page,
  client,
}) => {
  const cities = await addEveryType(client)
  const view = newName('plotted-view')
  await client.viewCreate({
    body: {
      name: view,
      base: cities,
      where: { size: { eq: 'small' } },
      order: ['people'],
      fields: [
        { name: 'by_the_sea', from: 'coastal' },
        { name: 'folk', from: 'people' },
      ],
    },
  })
  await page.goto(`/dataset/${view}/item?as=plot&x=by_the_sea`)
  await expect(plot(page)).toContainText('3 items, 2 without by_the_sea')
  await plot(page).locator('[data-part="bar"] rect').click()
  await expect(found(page)).toHaveText('1 item')
  await page.goto(`/dataset/${view}/item?as=plot&x=folk`)
  await expect(plot(page)).toContainText('3 items, 1 without folk')
})
