import { expect, newName, signedOut, test } from './app.ts'
import { addNotes } from './sample-data.ts'
import { clientOf, signIn } from './sign-in.ts'

test(
  'every list shows its columns and links',
  { tag: '@core' },
  async ({ page, server, client }) => {
    const repo = newName('letters')
    const view = newName('letters-view')
    await addNotes(client, repo, 1)
    await client.viewCreate({ body: { name: view, base: repo } })

    await page.goto('/')
    await expect(page).toHaveURL(`${server.url}/dataset/`)
    const bar = page.getByRole('banner')
    const rowOf = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
    for (const column of ['name', 'created at']) {
      await expect(page.getByRole('columnheader', { name: column })).toBeVisible()
    }
    await expect(rowOf(view)).toContainText(String(new Date().getUTCFullYear()))
    await rowOf(repo).getByRole('link', { name: 'items' }).click()
    await expect(page).toHaveURL(`${server.url}/dataset/${repo}/item`)
    await page.goBack()
    await rowOf(repo).getByRole('link', { name: 'details' }).click()
    await expect(page).toHaveURL(`${server.url}/dataset/${repo}`)

    await bar.getByRole('link', { name: 'Repos' }).click()
    await expect(page).toHaveURL(`${server.url}/repo/`)
    await expect(page.getByRole('heading', { name: 'Repositories' })).toBeVisible()
    for (const column of ['name', 'created at']) {
      await expect(page.getByRole('columnheader', { name: column })).toBeVisible()
    }
    await expect(rowOf(view)).toBeHidden()
    for (const [link, path] of [
      ['items', `/dataset/${repo}/item`],
      ['details', `/dataset/${repo}`],
      ['add item', `/repo/${repo}/additem`],
    ] as const) {
      await rowOf(repo).getByRole('link', { name: link }).click()
      await expect(page).toHaveURL(server.url + path)
      await page.goBack()
    }
    await page.getByRole('link', { name: 'Add', exact: true }).click()
    await expect(page).toHaveURL(`${server.url}/addrepo`)

    await bar.getByRole('link', { name: 'Views' }).click()
    await expect(page).toHaveURL(`${server.url}/view/`)
    await expect(page.getByRole('heading', { name: 'Views' })).toBeVisible()
    for (const column of ['name', 'base dataset', 'created at']) {
      await expect(page.getByRole('columnheader', { name: column })).toBeVisible()
    }
    await rowOf(view).getByRole('link', { name: repo, exact: true }).click()
    await expect(page).toHaveURL(`${server.url}/dataset/${repo}`)
    await page.goBack()
    await page.getByRole('link', { name: 'Add', exact: true }).click()
    await expect(page).toHaveURL(`${server.url}/addview`)

    await bar.getByRole('link', { name: 'Vitrine, home' }).click()
    await expect(page).toHaveURL(`${server.url}/dataset/`)
  },
)

test('the top bar stays in view', async ({ page, client }) => {
  const repo = newName('tall')
  await addNotes(client, repo, 20)
  await page.setViewportSize({ width: 800, height: 300 })
  await page.goto(`/dataset/${repo}/item`)
  await page.getByRole('link', { name: 'show' }).last().scrollIntoViewIfNeeded()
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
  await expect(page.getByRole('banner')).toBeInViewport({ ratio: 1 })
})

test.describe('on a server of its own', () => {
  test.use(signedOut)

  test('empty lists say so, and how to begin', async ({ page, launch }) => {
    const { url } = await launch()
    await signIn(page, url)
    await expect(page.getByText('You do not have any records yet.')).toBeVisible()
    await page.goto(`${url}/view/`)
    await expect(page.getByText('You do not have any views yet.')).toBeVisible()
    await page.goto(`${url}/repo/`)
    await expect(page.getByText('You do not have any repositories yet.')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden()
    await page.getByRole('link', { name: 'Add', exact: true }).click()
    await expect(page).toHaveURL(`${url}/addrepo`)
  })

  test('lists have pages of 20', async ({ page, launch }) => {
    const { url } = await launch()
    await signIn(page, url)
    const client = await clientOf(page)
    const add = (number: number) => addNotes(client, `repo-${String(number).padStart(2, '0')}`)
    for (let number = 1; number <= 19; number += 1) await add(number)
    const rows = page.getByRole('rowheader')
    const pager = page.getByRole('navigation', { name: 'Pages' })

    await page.goto(`${url}/repo/`)
    await expect(rows).toHaveCount(19)
    await expect(pager).toBeHidden()

    // At exactly 20 the next page may be empty: it says so, and leads back.
    await add(20)
    await page.reload()
    await expect(rows).toHaveCount(20)
    await expect(rows.first()).toHaveText('repo-20')
    await pager.getByRole('link', { name: 'Next' }).click()
    await expect(page).toHaveURL(`${url}/repo/?page=1`)
    await expect(page.getByText('There is nothing on this page')).toBeVisible()
    await expect(page.getByText('You do not have any repositories yet.')).toBeHidden()
    await pager.getByRole('link', { name: 'Prev' }).click()
    await expect(rows).toHaveCount(20)

    await add(21)
    await page.goto(`${url}/dataset/?page=1`)
    await expect(rows).toHaveText(['repo-01'])
    await page.reload()
    await expect(rows).toHaveText(['repo-01'])
    await pager.getByRole('link', { name: 'Prev' }).click()
    await expect(rows).toHaveCount(20)
    await expect(rows.last()).toHaveText('repo-02')
    await pager.getByRole('link', { name: 'Next' }).click()
    await expect(rows).toHaveText(['repo-01'])

    await page.getByRole('link', { name: 'details' }).click()
    await expect(page.getByRole('heading', { name: 'repo-01' })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(`${url}/dataset/?page=1`)
    await expect(rows).toHaveText(['repo-01'])
  })
})

test('Back restores page and scroll', { tag: '@core' }, async ({ page, client, server }) => {
  const repo = newName('scrolled')
  await addNotes(client, repo, 45)
  await page.setViewportSize({ width: 800, height: 250 })
  await page.goto(`/dataset/${repo}/item`)
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page).toHaveURL(`${server.url}/dataset/${repo}/item?page=1`)
  await expect(page.getByText('note 21', { exact: true })).toBeVisible()

  const show = page.getByRole('row', { name: 'note 38' }).getByRole('link', { name: 'show' })
  await show.scrollIntoViewIfNeeded()
  const scrolled = await page.evaluate(() => window.scrollY)
  expect(scrolled).toBeGreaterThan(100)
  await show.click()
  await expect(page.getByRole('definition').getByText('note 38', { exact: true })).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)

  await page.goBack()
  await expect(page).toHaveURL(`${server.url}/dataset/${repo}/item?page=1`)
  await expect(page.getByRole('cell').getByText('note 38', { exact: true })).toBeInViewport()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled)
})

test('a page that is no number is the first', async ({ page, client }) => {
  const repo = newName('odd-page')
  await addNotes(client, repo, 1)
  for (const query of [
    '?page=-1',
    '?page=x',
    '?page=1.5',
    '?page=',
    '?page=99999999999999999999',
  ]) {
    await page.goto(`/dataset/${repo}/item${query}`)
    await expect(page.getByText('note 1', { exact: true })).toBeVisible()
  }
})
