import type { Page } from '@playwright/test'
import { expect, test } from './app.ts'
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

const placed = [
  { name: 'at', type: 'timestamp' },
  { name: 'kind', type: 'string', length: 20 },
  { name: 'lon', type: 'number', optional: true },
  { name: 'lat', type: 'number', optional: true },
  { name: 'size', type: 'number' },
]

/** Rows of which every tenth has no longitude, and one lies beyond the poles. */
function placedRows(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.UTC(2020, 0, 1 + index)).toISOString(),
    kind: index % 4 === 0 ? 'village' : 'town',
    ...(index % 10 !== 8 && { lon: index === 1 ? 500 : (index % 36) * 10 - 180 }),
    lat: (index % 17) * 10 - 80,
    size: index,
  }))
}

const circles = (page: Page) => plot(page).locator('[data-part="dot"] circle')

test('two columns are dots, means or a line, of what is filtered, and the address restores them', async ({
  page,
  client,
}) => {
  const name = await addRows(client, placed, placedRows(100))
  await page.goto(`/dataset/${name}/item?as=plot&x=lat`)
  await picker(page, 'y').selectOption('size')
  await expect(chart(page)).toHaveAccessibleName(`size against lat, ${name}`)
  await expect(circles(page)).toHaveCount(100)
  expect(parameters(page)).toEqual({ as: 'plot', x: 'lat', y: 'size' })
  await expect(picker(page, 'y').getByRole('option')).toHaveText(['none', 'at', 'lon', 'size'])
  await expectAccessible(page, 'dots')

  await page.goto(`/dataset/${name}/item?as=plot&x=lon&y=size&where={"kind":{"eq":"village"}}`)
  await expect(plot(page)).toContainText('25 items, 5 without lon or size')
  await expect(circles(page)).toHaveCount(20)
  const saved = await savedSvg(page)
  expect(saved).toMatchObject({ errors: 0, dots: 20, fileName: `${name}-lon-size.svg` })
  await page.reload()
  await expect(circles(page)).toHaveCount(20)
  await page.getByRole('button', { name: /^Remove filter/ }).click()
  await expect(circles(page)).toHaveCount(90)
  expect(parameters(page)).toEqual({ as: 'plot', x: 'lon', y: 'size' })

  await picker(page, 'x').selectOption('kind')
  await expect(chart(page)).toHaveAccessibleName(`Mean of size by kind, ${name}`)
  await expect(plot(page).locator('[data-part="bar"] rect')).toHaveCount(2)
  await expect(chart(page)).toContainText('mean of size')
  await showValues(page)
  await expect(values(page)).toHaveText(['kindmean of sizeitems', 'town5075', 'village4825'])

  await picker(page, 'x').selectOption('at')
  await expect(chart(page)).toHaveAccessibleName(`size over the time of at, ${name}`)
  await showValues(page)
  await expect(values(page)).toHaveCount(101)
  await expectAccessible(page, 'line')
  await picker(page, 'mark').selectOption('dots')
  await expect(circles(page)).toHaveCount(100)
  expect(parameters(page)).toEqual({ as: 'plot', x: 'at', y: 'size', mark: 'dots' })
  await picker(page, 'y').selectOption('none')
  await expect(chart(page)).toHaveAccessibleName(`Items over the time of at, ${name}`)
})

test('a plot of two columns draws the first 10,000 items, and extreme numbers and dates', async ({
  page,
  client,
}) => {
  const schema = [
    { name: 'day', type: 'date' },
    { name: 'n', type: 'number' },
    { name: 'm', type: 'number' },
  ]
  const many = await addRows(
    client,
    schema,
    Array.from({ length: 10_050 }, (_, n) => ({ day: '2001-01-01', n, m: n % 100 })),
  )
  await page.goto(`/dataset/${many}/item?as=plot&x=n&y=m`)
  await expect(plot(page)).toContainText('The first 10,000 of 10,050 items')
  await expect(circles(page)).toHaveCount(10_000)
  await expect(plot(page)).toContainText('Show the first 100 values')

  const rows = [
    { day: '0001-01-01', n: -1.7e308, m: 1e-320 },
    { day: '9999-12-31', n: 1.7e308, m: 5e-320 },
  ]
  const far = await addRows(client, schema, rows)
  for (const columns of ['x=n&y=m', 'x=day&y=n', 'x=day&y=n&mark=dots', 'x=m&y=day']) {
    await page.goto(`/dataset/${far}/item?as=plot&${columns}`)
    await expect(chart(page)).toBeVisible()
    await expect(chart(page)).not.toContainText('NaN')
    expect(await chart(page).innerHTML(), columns).not.toContain('NaN')
  }
})

test('a longitude and a latitude are a map, without a request to another host', async ({
  page,
  client,
  baseURL,
}) => {
  const name = await addRows(client, placed, placedRows(100))
  const hosts = new Set<string>()
  page.on('request', (request) => {
    if (request.url().startsWith('http')) hosts.add(new URL(request.url()).origin)
  })
  await page.goto(`/dataset/${name}/item?as=plot`)
  await expect(chart(page)).toHaveAccessibleName(`Map of lon and lat, ${name}`)
  await expect(circles(page)).toHaveCount(89)
  await expect(plot(page)).toContainText('100 items, 10 without lon or lat, 1 beyond the map')
  await expect(plot(page).locator('[data-part="geo"] path')).not.toHaveCount(0)
  await expectAccessible(page, 'map')
  expect([...hosts]).toEqual([new URL(baseURL!).origin])
  expect(await savedSvg(page)).toMatchObject({ errors: 0, dots: 89 })

  await picker(page, 'mark').selectOption('dots')
  await expect(chart(page)).toHaveAccessibleName(`lat against lon, ${name}`)
  expect(parameters(page)).toEqual({ as: 'plot', x: 'lon', y: 'lat', mark: 'dots' })
  await page.reload()
  await expect(circles(page)).toHaveCount(90)
  await page.setViewportSize({ width: 320, height: 800 })
  await picker(page, 'mark').selectOption('map')
  await expect(chart(page)).toHaveAccessibleName(`Map of lon and lat, ${name}`)
  expect(await sidewaysOverflow(page)).toBe(0)
})

test('a mean filters to what it is of, and a dot opens its item, by pointer and keyboard', async ({
  page,
  client,
  baseURL,
}) => {
  const name = await addRows(client, placed, placedRows(250))
  await page.goto(`/dataset/${name}/item?as=plot&x=kind&y=size`)
  await plot(page).locator('[data-part="bar"] rect').last().click()
  await expect(found(page)).toHaveText('63 items')
  expect(parameters(page)['where']).toBe('{"kind":{"eq":"village"}}')
  await showValues(page)
  await plot(page).getByRole('button', { name: 'village', pressed: true }).press('Enter')
  await expect(found(page)).toBeHidden()

  await picker(page, 'x').selectOption('at')
  await expect(chart(page)).toHaveAccessibleName(`Mean of size over the time of at, ${name}`)
  await showValues(page)
  await expect(values(page).nth(1)).toHaveText('2020-01-011531')
  await plot(page).getByRole('button', { name: '2020-02-01' }).press('Enter')
  await expect(found(page)).toHaveText('29 items')
  expect(parameters(page)['where']).toBe(
    '{"at":{"gte":"2020-02-01T00:00:00Z","lt":"2020-03-01T00:00:00Z"}}',
  )
  await expect(chart(page)).toHaveAccessibleName(`size over the time of at, ${name}`)
  const filters = page.getByRole('button', { name: /^Remove filter/ })
  await filters.first().click()
  await expect(filters).toHaveCount(1)
  await filters.click()

  await picker(page, 'x').selectOption('lat')
  await expect(circles(page)).toHaveCount(250)
  await page.getByText('Show the first 100 values').click()
  await expect(values(page)).toHaveCount(101)
  await page.getByRole('button', { name: 'Show 100 more' }).click()
  await page.getByRole('button', { name: 'Show 100 more' }).click()
  await expect(values(page)).toHaveCount(251)
  await expect(page.getByRole('button', { name: 'Show 100 more' })).toBeHidden()
  await values(page).last().getByRole('link').press('Enter')
  await expect(page).toHaveURL(`${baseURL}/dataset/${name}/item/250`)
  await page.goBack()
  await expect(circles(page)).toHaveCount(250)
  const box = (await circles(page).first().boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await expect(page).toHaveURL(`${baseURL}/dataset/${name}/item/1`)
})

test('the request for a plot is cancelled when another column is chosen', async ({
  page,
  client,
}) => {
  const name = await addRows(client, placed, placedRows(20))
  let isHeld = true
  await page.route(/\/export\?/, async (route) => {
    if (!isHeld) await route.continue()
  })
  const asked = page.waitForRequest(/\/export\?/)
  await page.goto(`/dataset/${name}/item?as=plot&x=lat&y=size`)
  const held = await asked
  await expect(picker(page, 'y')).toHaveValue('size')
  const ended = page.waitForEvent('requestfailed', (request) => request === held)
  isHeld = false
  await picker(page, 'y').selectOption('lon')
  await ended
  await expect(chart(page)).toHaveAccessibleName(`Map of lat and lon, ${name}`)
})
