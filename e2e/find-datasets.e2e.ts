import { addItem } from '@vitrine/client'
import type { FoundDataset } from '@vitrine/contract'
import { expect, newName, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addNotes, picture } from './sample-data.ts'
import { clientOf, signIn } from './sign-in.ts'

const image = (seed: number) => new Blob([picture(seed)], { type: 'image/png' })

test(
  'a list says of each dataset what it holds, and shows its pictures',
  { tag: '@core' },
  async ({ page, client }) => {
    const repo = newName('portraits')
    const view = `${repo}-view`
    const description = 'Portraits of people who were asked before'
    await client.repoCreate({
      body: {
        name: repo,
        description,
        schema: [{ name: 'face', type: 'binary', mime: 'image/*' }],
      },
    })
    let itemId = 0
    for (const seed of [1, 2, 3, 4, 5]) itemId = await addItem(client, repo, { face: image(seed) })
    await client.viewCreate({ body: { name: view, base: repo, limit: 2 } })
    const { createdAt: addedAt } = await client.datasetItemGet({ datasetId: repo, itemId })

    await page.goto(`/dataset/?q=${repo}`)
    const table = page.getByRole('table', { name: 'Datasets' })
    const rowOf = (name: string) =>
      table.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    const cells = rowOf(repo).getByRole('cell')
    await expect(cells.nth(0)).toHaveText(description)
    await expect(cells.nth(2)).toHaveText('repository')
    await expect(cells.nth(3)).toHaveText(/^5/)
    await expect(cells.nth(4).getByRole('time')).toBeVisible()
    await expect(rowOf(view).getByRole('cell').nth(2)).toHaveText('view')
    await expect(rowOf(view).getByRole('cell').nth(3)).toHaveText(/^2/)
    for (const [name, count] of [
      [repo, 4],
      [view, 2],
    ] as const) {
      const pictures = rowOf(name).locator('img')
      await expect(pictures).toHaveCount(count)
      for (const shown of await pictures.all()) {
        await expect
          .poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth))
          .toBe(96)
      }
    }

    // One date is shown: the one that one sorts by.
    await page.goto(`/dataset/?q=${repo}&sort=-addedAt`)
    await expect(cells.nth(4).getByRole('time')).toHaveAttribute('title', addedAt!)
    await expect(table.getByRole('columnheader', { name: 'created at' })).toHaveCount(0)

    await page.goto(`/view/?q=${repo}`)
    const link = page
      .getByRole('table', { name: 'Views' })
      .getByRole('link', { name: repo, exact: true })
    await expect(link).toHaveAttribute('href', `/dataset/${repo}`)
    await page.goto(`/repo/?q=${repo}`)
    await expect(page.getByRole('link', { name: 'add item' })).toHaveAttribute(
      'href',
      `/repo/${repo}/additem`,
    )
  },
)

test(
  'datasets are found as one types, filtered and sorted, and the address keeps it',
  { tag: '@core' },
  async ({ page, client, server }) => {
    const word = newName('harbour')
    for (const [name, count] of [
      [`${word}-b`, 1],
      [`${word}-a`, 2],
    ] as const) {
      await addNotes(client, name, count)
    }
    await client.viewCreate({ body: { name: `${word}-c`, base: `${word}-a`, limit: 1 } })
    await client.repoCreate({
      body: {
        name: newName('other'),
        schema: [{ name: word.replaceAll('-', '_'), type: 'string' }],
      },
    })
    const rows = page.getByRole('rowheader')
    const address = (query: string) => expect(page).toHaveURL(`${server.url}/dataset/${query}`)

    await page.goto('/dataset/?page=3')
    const search = page.getByRole('searchbox', { name: 'Search datasets' })
    await search.pressSequentially(`${word.toUpperCase()}-`)
    await expect(rows).toHaveText([`${word}-c`, `${word}-a`, `${word}-b`])
    await address(`?q=${word.toUpperCase()}-`)
    await expect(page.getByText('3 found')).toBeVisible()
    await page.reload()
    await expect(search).toHaveValue(`${word.toUpperCase()}-`)
    await expect(rows).toHaveCount(3)

    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Repositories')
    await expect(rows).toHaveText([`${word}-a`, `${word}-b`])
    await page.getByRole('columnheader', { name: 'items' }).getByRole('button').click()
    await expect(rows).toHaveText([`${word}-a`, `${word}-b`])
    await expect(page.getByRole('columnheader', { name: 'items' })).toHaveAttribute(
      'aria-sort',
      'descending',
    )
    await page.getByRole('columnheader', { name: 'items' }).getByRole('button').click()
    await expect(rows).toHaveText([`${word}-b`, `${word}-a`])
    await address(`?q=${word.toUpperCase()}-&kind=repo&sort=items`)
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Name, A to Z')
    await expect(rows).toHaveText([`${word}-a`, `${word}-b`])

    await page.goBack()
    await expect(rows).toHaveText([`${word}-b`, `${word}-a`])
    await page.goBack()
    await page.goBack()
    await page.goBack()
    await address(`?q=${word.toUpperCase()}-`)
    await expect(rows).toHaveCount(3)

    // A field is found as well, and said.
    await search.fill(word.replaceAll('-', '_'))
    await expect(
      page.getByRole('cell', { name: `field ${word.replaceAll('-', '_')}` }),
    ).toBeVisible()
    await search.fill(`${word} nowhere`)
    await expect(page.getByText('Nothing was found.')).toBeVisible()
    await page.getByRole('link', { name: 'Show all' }).click()
    await address('')
    await expect(search).toHaveValue('')
  },
)

test('datasets are cards where one prefers them, also later', async ({ page, client, server }) => {
  const repo = newName('cards')
  await client.repoCreate({
    body: {
      name: repo,
      description: 'To be seen side by side',
      schema: [{ name: 'face', type: 'binary', mime: 'image/*' }],
    },
  })
  await addItem(client, repo, { face: image(1) })
  await page.goto(`/dataset/?q=${repo}`)
  await expect(page.getByRole('rowheader')).toHaveText([repo])
  await page.getByRole('button', { name: 'Cards' }).click()
  await expect(page).toHaveURL(`${server.url}/dataset/?q=${repo}&as=cards`)
  const card = page.getByRole('list', { name: 'Datasets' }).getByRole('listitem')
  await expect(card).toHaveCount(1)
  await expect(card.getByRole('heading')).toHaveText(repo)
  await expect(card).toContainText('To be seen side by side')
  await expect(card).toContainText('repository · 1 item · added')
  await expect(card.locator('img')).toHaveCount(1)
  await card.getByRole('link', { name: 'details' }).click()
  await expect(page).toHaveURL(`${server.url}/dataset/${repo}`)

  await page.goto(`/repo/?q=${repo}`)
  await expect(page.getByRole('table')).toBeHidden()
  await page.getByRole('link', { name: 'add item' }).click()
  await expect(page).toHaveURL(`${server.url}/repo/${repo}/additem`)
  await page.goto(`/repo/?q=${repo}&as=list`)
  await expect(page.getByRole('rowheader')).toHaveText([repo])
  await page.getByRole('button', { name: 'Cards' }).click()
  await page.getByRole('button', { name: 'List' }).click()
  await page.goto(`/repo/?q=${repo}`)
  await expect(page.getByRole('rowheader')).toHaveText([repo])
})

test('long names, long descriptions and no items fit every window', async ({ page, client }) => {
  const word = newName('long')
  const repo = `${word}-`.padEnd(128, 'names')
  const description = 'Says very much of itself. '.repeat(40)
  await client.repoCreate({
    body: { name: repo, description, schema: [{ name: 'a'.repeat(63), type: 'string' }] },
  })
  await client.viewCreate({ body: { name: `${word}-`.padEnd(128, 'views'), base: repo } })
  for (const width of [320, 390, 768, 1024, 1440, 2560]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of [`/dataset/?q=${word}&as=`, `/view/?q=${word}&as=`, `/repo/?q=aaaa&as=`]) {
      for (const as of ['list', 'cards']) {
        await page.goto(path + as)
        await expect(page.getByRole('link', { name: repo, exact: true }).first()).toBeVisible()
        const [wide, high] = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          const entry = document.querySelector('tbody tr, main li')!
          return [scrollWidth - clientWidth, entry.getBoundingClientRect().height]
        })
        expect(wide, `${path}${as} at ${width}`).toBe(0)
        expect(high, `${path}${as} at ${width}`).toBeLessThan(400)
      }
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const as of ['list', 'cards']) {
    await page.goto(`/dataset/?q=${word}&as=${as}`)
    await expect(page.getByRole('link', { name: repo, exact: true }).first()).toBeVisible()
    await expectAccessible(page, as)
  }
})

test.describe('on a server of its own', () => {
  test.use(signedOut)

  test('a view that is looking at its items says so until it has', async ({
    page,
    launchOther,
  }) => {
    const other = await launchOther()
    await signIn(page, other.url)
    await addNotes(await clientOf(page), 'notes', 3)
    let isBehind = true
    other.alter('GET /api/search', (reply) => {
      const found = JSON.parse(reply.body) as FoundDataset[]
      const items = { totalItems: 2, exact: false }
      return {
        ...reply,
        body: JSON.stringify(isBehind ? found.map((each) => ({ ...each, items })) : found),
      }
    })
    await page.goto(other.url)
    await expect(page.getByText('at least 2')).toBeVisible()
    isBehind = false
    await expect(page.getByText('at least 2')).toBeHidden()
    await expect(page.getByRole('cell', { name: '3', exact: true })).toBeVisible()
  })

  test('the lists of a server without search are those that are specified', async ({
    page,
    launchOther,
  }) => {
    const other = await launchOther()
    other.withhold('search')
    other.alter('GET /api/search', () => ({ status: 404, body: '' }))
    await signIn(page, other.url)
    const client = await clientOf(page)
    await addNotes(client, 'notes', 1)
    await client.viewCreate({ body: { name: 'notes-view', base: 'notes' } })
    for (const [path, columns, rows] of [
      ['/dataset/', ['name', 'created at', 'links'], ['notes-view', 'notes']],
      ['/repo/', ['name', 'created at', 'links'], ['notes']],
      ['/view/', ['name', 'base dataset', 'created at', 'links'], ['notes-view']],
    ] as const) {
      await page.goto(`${other.url}${path}?q=nothing&kind=view&as=cards`)
      await expect(page.getByRole('rowheader')).toHaveText([...rows])
      await expect(page.getByRole('columnheader')).toHaveText([...columns])
      await expect(page.getByRole('searchbox')).toBeHidden()
    }
  })
})

test('datasets added since the last visit are marked, and come first on request', async ({
  page,
  client,
}) => {
  const before = newName('before')
  const since = newName('since')
  await addNotes(client, before, 1)
  await page.goto('/dataset/')
  await expect(page.getByRole('table', { name: 'Datasets' })).toContainText(before)
  await expect(page.getByRole('link', { name: /changed/ })).toBeHidden()
  await addNotes(client, since, 1)

  const later = await page.context().newPage()
  await later.goto(`/dataset/?q=${since}`)
  await expect(later.getByRole('row', { name: since })).toContainText('new: ')
  await later.goto(`/dataset/?q=${since}&as=cards`)
  await expect(later.getByRole('listitem').filter({ hasText: since })).toContainText('new: ')
  await later.goto(`/dataset/?q=${before}&as=list`)
  await expect(later.getByRole('row', { name: before })).not.toContainText('new: ')

  await later.goto('/dataset/')
  await later.getByRole('link', { name: /changed/ }).click()
  await expect(later).toHaveURL(/\?sort=-addedAt$/)
  await expect(later.getByRole('table', { name: 'Datasets' })).toContainText(since)
  await expectAccessible(later, 'news')
})
