import { expect, newName, signedOut, test } from './app.ts'
import { lostConnection } from './console-watch.ts'
import { editorOf, enterDescription } from './editor.ts'
import { movesOf, observeShifts } from './observe-shifts.ts'
import { addNotes, addPeople } from './sample-data.ts'
import { fillScreens } from './screens.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'
import { clientOf, signIn } from './sign-in.ts'

test('every screen has an address of its own, and survives Reload, Back and Forward', async ({
  page,
  client,
  server,
}) => {
  const screens = await fillScreens(client)
  const titles = new Set<string>()
  const main = page.getByRole('main')
  for (const { path, shows } of screens) {
    await page.goto(path)
    await expect(main).toContainText(shows)
    await page.reload()
    await expect(main).toContainText(shows)
    await expect(page).toHaveTitle(/ · Vitrine$/)
    titles.add(await page.title())
  }
  const pages = new Set(screens.map(({ path }) => path.replace(/\?.*/, '')))
  expect(titles.size, 'each screen names itself in the document title').toBe(pages.size)

  for (const { path, shows } of screens.toReversed().slice(1)) {
    await page.goBack()
    await expect(page).toHaveURL(server.url + path)
    await expect(main).toContainText(shows)
  }
  for (const { path, shows } of screens.slice(1, 4)) {
    await page.goForward()
    await expect(page).toHaveURL(server.url + path)
    await expect(main).toContainText(shows)
  }
})

test('breadcrumbs lead up', async ({ page, client, server }) => {
  const notes = newName('notes')
  const [id] = await addNotes(client, notes, 1)
  await page.goto(`/dataset/${notes}/item/${id}`)
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  await crumbs.getByRole('link', { name: 'Items' }).click()
  await expect(page).toHaveURL(`${server.url}/dataset/${notes}/item`)
  await crumbs.getByRole('link', { name: notes }).click()
  await expect(page).toHaveURL(`${server.url}/dataset/${notes}`)
  await crumbs.getByRole('link', { name: 'Datasets' }).click()
  await expect(page).toHaveURL(`${server.url}/dataset/`)
})

test('an address that leads nowhere says so', async ({ page }) => {
  for (const path of ['/nowhere', '/dataset/a/b/c/d', '/repo/a', '/addrepo/x', '/view/a']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: '404 - Page not found' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  }
  await page.getByRole('main').getByRole('link', { name: 'Datasets' }).click()
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
})

test('a colour scheme that was chosen stays', async ({ page }) => {
  await page.goto('/view/')
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  const button = page.getByRole('button', { name: /Colour scheme/ })
  await button.click()
  await button.click()
  await expect(button).toHaveAccessibleName(/Colour scheme: dark/)
  await expect.poll(background).not.toBe(light)
  const dark = await background()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Views' })).toBeVisible()
  expect(await background()).toBe(dark)
})

for (const width of [360, 768, 1440, 2560]) {
  test(`no screen is wider than a window of ${width}, and nothing on it jumps while it loads`, async ({
    page,
    client,
  }) => {
    const screens = await fillScreens(client)
    await observeShifts(page)
    await page.setViewportSize({ width, height: 800 })
    for (const { path, shows, name } of screens) {
      await page.goto(path)
      await expect(page.getByRole('main')).toContainText(shows)
      expect.soft(await sidewaysOverflow(page), name).toBe(0)
      expect.soft(await movesOf(page), `${name} moves`).toEqual([])
    }
  })
}

test.describe('on a server of its own', () => {
  test.use(signedOut)

  test(
    'a page whose code cannot be had shows the fallback of the router',
    { tag: '@core' },
    async ({ page, launch, console }) => {
      console.expect(lostConnection, /Loading (?:CSS )?chunk/, /ChunkLoadError/)
      const server = await launch()
      await signIn(page, server.url)
      await page.goto(`${server.url}/view/`)
      await expect(page.getByText('You do not have any views yet.')).toBeVisible()
      await server.kill()
      await page.getByRole('link', { name: 'Add', exact: true }).click()
      await expect(
        page.getByRole('heading', { name: 'Unexpected Application Error!' }),
      ).toBeVisible()
      await server.start()
      await page.getByRole('button', { name: 'Reload' }).click()
      await expect(page.getByRole('heading', { name: 'Add View' })).toBeVisible()
      await expect(editorOf(page)).toHaveText('---')
    },
  )

  test('a dataset that is neither view nor repository cannot be deleted', async ({
    page,
    launchOther,
  }) => {
    const other = await launchOther()
    await signIn(page, other.url)
    await addNotes(await clientOf(page), 'notes')
    other.alter('GET /api/dataset/notes', (reply) => {
      const { repo: _, ...others } = JSON.parse(reply.body) as { repo: object }
      return { ...reply, body: JSON.stringify(others) }
    })
    await page.goto(`${other.url}/dataset/notes`)
    await page.getByRole('button', { name: 'delete' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('notes')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('dataset is neiter view nor repo: invalid')
  })

  test('a server that does not announce that it guards references is asked to delete', async ({
    page,
    launchOther,
  }) => {
    const other = await launchOther()
    await signIn(page, other.url)
    const client = await clientOf(page)
    await addNotes(client, 'notes')
    await client.viewCreate({ body: { name: 'view', base: 'notes' } })
    other.withhold('guarded-delete')
    other.alter('DELETE /api/repo/notes', () => ({ status: 200, body: '{}' }))
    await page.goto(`${other.url}/dataset/notes`)
    await page.getByRole('button', { name: 'delete' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(
      'Other datasets refer to it, and their references will lead nowhere',
    )
    await expect(dialog.getByRole('link', { name: 'view' })).toBeVisible()
    await dialog.getByRole('textbox').fill('notes')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Request successful')).toBeVisible()
  })

  test(
    'every screen works on a server that announces no features',
    { tag: '@core' },
    async ({ page, launchOther }) => {
      const other = await launchOther()
      const announceNothing = () => {
        other.alter('GET /config.json', (reply) => {
          const { apiBaseUrl, authority, clientId } = JSON.parse(reply.body) as Record<
            string,
            string
          >
          return { ...reply, body: JSON.stringify({ apiBaseUrl, authority, clientId }) }
        })
      }
      announceNothing()
      // It makes the sixteen calls and replies in the specified shapes alone.
      const asked = new Set<string>()
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/api/')) asked.add(`${request.method()} ${pathname}`)
      })
      await signIn(page, other.url)
      const client = await clientOf(page)
      const screens = await fillScreens(client, (word) => word)
      const main = page.getByRole('main')
      for (const { path, shows } of screens.filter(({ feature }) => feature === undefined)) {
        if (/^\/dataset\/photos\/item\/\d+$/.test(path)) {
          other.alter(`GET /api${path}`, (reply) => {
            const {
              integrity: _,
              createdAt: __,
              ...item
            } = JSON.parse(reply.body) as object & {
              integrity: object
              createdAt: string
            }
            return { ...reply, body: JSON.stringify(item) }
          })
        }
        await page.goto(other.url + path)
        await expect(main).toContainText(shows)
        await expect(page.getByRole('alert')).toBeHidden()
        other.restore()
        announceNothing()
      }

      await page.goto(`${other.url}/addrepo`)
      await enterDescription(page, '---\nname: plain\nschema:\n- {name: a, type: string}\n')
      await page.getByRole('button', { name: 'Submit' }).click()
      await expect(page.getByText('Request successful')).toBeVisible()
      await page.goto(`${other.url}/repo/plain/additem`)
      await page.getByRole('textbox', { name: 'a' }).fill('value')
      await page.getByRole('button', { name: 'Submit' }).click()
      await expect(page).toHaveURL(/\/dataset\/plain\/item\/\d+$/)
      await addPeople(client, 'others')

      const calls = [
        /^GET \/api\/(?:dataset|repo|view)$/,
        /^GET \/api\/dataset\/[^/]+$/,
        /^GET \/api\/dataset\/[^/]+\/(?:item|count)$/,
        /^GET \/api\/dataset\/[^/]+\/item\/\d+(?:\/[^/]+)?$/,
        /^POST \/api\/(?:repo|view)$/,
        /^POST \/api\/repo\/[^/]+\/item$/,
        /^POST \/api\/repo\/[^/]+\/item\/\d+(?:\/commit|\/field\/[^/]+)?$/,
        /^DELETE \/api\/(?:repo|view)\/[^/]+$/,
      ]
      expect([...asked].filter((each) => !calls.some((call) => call.test(each)))).toEqual([])
    },
  )
})
