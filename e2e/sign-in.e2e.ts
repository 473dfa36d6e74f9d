import { expect, newName, signedOut, test } from './app.ts'
import { lostConnection } from './console-watch.ts'
import { admin } from './launch-server.ts'
import { addNotes } from './sample-data.ts'
import { fillSignIn, signIn, storedUser } from './sign-in.ts'

test.use(signedOut)

test(
  'a visitor signs in at the provider and returns to the site root',
  { tag: '@core' },
  async ({ page, server }) => {
    const asked = page.waitForRequest((request) => request.url().includes('code_challenge='))
    await page.goto('/')
    const query = new URL((await asked).url()).searchParams
    expect(Object.fromEntries(query)).toMatchObject({
      client_id: 'vitrine',
      redirect_uri: `${server.url}/`,
      response_type: 'code',
      scope: expect.stringContaining('openid'),
      state: expect.stringMatching(/./),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    await expect(page).toHaveURL(/\/realms\/local\//)
    await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden()

    await fillSignIn(page)
    await expect(page).toHaveURL(`${server.url}/dataset/`)
    await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  },
)

test('a page requested before the sign-in is offered after it', async ({
  page,
  server,
  client,
}) => {
  const name = newName('asked-for')
  await addNotes(client, name, 1)
  await page.goto(`/dataset/${name}/item?page=0`)
  await fillSignIn(page)
  await expect(page).toHaveURL(`${server.url}/dataset/`)

  const notice = page.getByRole('status').filter({ hasText: 'Before signing in you asked for' })
  await notice.getByRole('link', { name: `the items of ${name}` }).click()
  await expect(page).toHaveURL(`${server.url}/dataset/${name}/item?page=0`)
  await expect(page.getByRole('cell', { name: 'note 1' })).toBeVisible()
  await expect(notice).toBeHidden()
})

test('the offer of the page asked for goes away once one has moved on', async ({
  page,
  client,
}) => {
  const name = newName('moved-on')
  await addNotes(client, name, 1)
  await page.goto(`/dataset/${name}/item/1`)
  await fillSignIn(page)
  const notice = page.getByRole('status').filter({ hasText: `item 1 of ${name}` })
  await expect(notice).toBeVisible()
  await page.getByRole('link', { name: 'Views', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Views' })).toBeVisible()
  await expect(notice).toBeHidden()
  await page.getByRole('link', { name: 'Datasets', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
  await expect(notice).toBeHidden()
})

test('a link that is opened in another tab by who is signed in leads where it points', async ({
  page,
  context,
  client,
  server,
}) => {
  const name = newName('linked')
  await addNotes(client, name, 1)
  await signIn(page)
  await page.goto(`/dataset/${name}`)
  const opened = context.waitForEvent('page')
  await page
    .getByRole('link', { name: 'Items', exact: true })
    .click({ modifiers: ['ControlOrMeta'] })
  const tab = await opened
  await expect(tab.getByRole('cell', { name: 'note 1' })).toBeVisible()
  await expect(tab).toHaveURL(`${server.url}/dataset/${name}/item`)

  // A pasted link, with what it asks for, in a tab of its own; Back leads out of it, not to another sign-in.
  const pasted = await context.newPage()
  const path = `/dataset/${name}/item?where=${encodeURIComponent('{"id":{"eq":1}}')}#x`
  await pasted.goto(path)
  await expect(pasted.getByRole('cell', { name: 'note 1' })).toBeVisible()
  await expect(pasted).toHaveURL(server.url + path)
  await expect(pasted.getByText('Before signing in')).toBeHidden()
  await pasted.goBack()
  await expect(pasted).toHaveURL('about:blank')
})

test('the offer of the page asked for can be dismissed', async ({ page }) => {
  await page.goto('/view/')
  await fillSignIn(page)
  const notice = page.getByRole('status').filter({ hasText: 'Before signing in you asked for' })
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
  await expect(notice).toBeHidden()
})

test(
  'a wrong password is told of, and the right one still works',
  { tag: '@core' },
  async ({ page, server, console }) => {
    console.expect(/status of 400/)
    await page.goto('/')
    await fillSignIn(page, { ...admin, password: 'not the password' })
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(page).toHaveURL(/\/realms\/local\//)
    await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(admin.username)
    await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('')

    await fillSignIn(page)
    await expect(page).toHaveURL(`${server.url}/dataset/`)
  },
)

test('a user stays signed in across a reload, and another tab needs no password', async ({
  page,
  context,
}) => {
  await signIn(page)
  const before = await storedUser(page)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
  expect((await storedUser(page)).access_token).toBe(before.access_token)

  const tab = await context.newPage()
  await tab.goto('/repo/')
  await expect(tab.getByRole('button', { name: 'Logout' })).toBeVisible()
})

test(
  'Logout signs out at the provider and revokes the tokens',
  { tag: '@core' },
  async ({ page, launch }) => {
    // Pictures in the datasets of others would still be asked for with a token that is revoked.
    const server = await launch()
    await signIn(page, server.url)
    const { refresh_token: refreshToken } = await storedUser(page)
    const revoked: string[] = []
    page.on('request', (request) => {
      const hint = new URLSearchParams(request.postData() ?? '').get('token_type_hint')
      if (hint !== null) revoked.push(hint)
    })
    const left = page.waitForRequest((request) => request.url().includes('id_token_hint='))
    await page.getByRole('button', { name: 'Logout' }).click()
    expect(new URL((await left).url()).searchParams.get('post_logout_redirect_uri')).toBe(
      `${server.url}/`,
    )
    // Signed out, the site root leads to the provider, which asks for the password again.
    await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible()
    expect(revoked.toSorted()).toEqual(['access_token', 'refresh_token'])

    const discovery = await fetch(`${server.url}/realms/local/.well-known/openid-configuration`)
    const { token_endpoint: endpoint } = (await discovery.json()) as { token_endpoint: string }
    const renewal = await fetch(endpoint, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken ?? '',
        client_id: 'vitrine',
      }),
    })
    expect(renewal.status).toBe(400)
  },
)

test('a user who was signed in before a restart is signed in after', async ({
  page,
  launch,
  console,
}) => {
  // The browser asks for the icon when it pleases.
  console.expect(lostConnection)
  const server = await launch()
  await signIn(page, server.url)
  await expect(page.getByText('You do not have any records yet.')).toBeVisible()
  await server.kill()
  await server.start()
  await page.goto(`${server.url}/repo/`)
  await expect(page.getByText('You do not have any repositories yet.')).toBeVisible()
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await expect(page.getByText('You do not have any repositories yet.')).toBeVisible()
})
