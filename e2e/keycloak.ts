import { expect, type Page } from '@playwright/test'
import { createClient } from '@vitrine/client'
import { CommandLine } from './command-line.ts'
import { authority } from './keycloak-admin.ts'
import { alice, fillSignIn, keycloak, password, signIn, test } from './keycloak-app.ts'
import { renewInHiddenFrame } from './renew-in-hidden-frame.ts'
import { storedUser } from './sign-in.ts'

test.beforeAll(() => keycloak.addUser(alice))

test.beforeEach(() => keycloak.setRealm({ accessTokenLifespan: 300 }))

async function claimsOf(page: Page): Promise<Record<string, unknown>> {
  const { access_token: token } = await storedUser(page)
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as never
}

async function keyIdOf(page: Page): Promise<string> {
  const { access_token: token } = await storedUser(page)
  const header = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString())
  return (header as { kid: string }).kid
}

/** Replies of the API to a page that were refusals of its token. */
function watchRefusals(page: Page): string[] {
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 401) refused.push(response.url())
  })
  return refused
}

test('a visitor signs in with the realm as it is imported', async ({ page, server }) => {
  const refused = watchRefusals(page)
  await signIn(page, server)
  await expect(page).toHaveURL(`${server.url}/dataset/`)
  expect(await claimsOf(page)).toMatchObject({
    iss: authority,
    typ: 'Bearer',
    azp: 'vitrine',
    aud: 'vitrine',
  })
  await page.getByRole('link', { name: 'Repos', exact: true }).click()
  await expect(page.getByText('You do not have any repositories yet.')).toBeVisible()
  expect(refused).toEqual([])
})

test('a link opens where it points in another tab, without a password', async ({
  page,
  context,
  server,
}) => {
  await page.goto(`${server.url}/repo/`)
  await fillSignIn(page)
  await expect(page).toHaveURL(`${server.url}/dataset/`)
  await expect(page.getByText('Before signing in you asked for Repos')).toBeVisible()
  const tab = await context.newPage()
  await tab.goto(`${server.url}/view/`)
  await expect(tab.getByText('You do not have any views yet.')).toBeVisible()
  await expect(tab).toHaveURL(`${server.url}/view/`)
})

test('tokens are renewed by the refresh token, unseen, which is rotated', async ({
  page,
  server,
}) => {
  await keycloak.setRealm({ accessTokenLifespan: 15 })
  await signIn(page, server)
  const before = await storedUser(page)
  await page.waitForRequest((request) =>
    (request.postData() ?? '').includes('grant_type=refresh_token'),
  )
  await expect.poll(async () => (await storedUser(page)).access_token).not.toBe(before.access_token)
  expect((await storedUser(page)).refresh_token).not.toBe(before.refresh_token)
  await page.getByRole('link', { name: 'Repos', exact: true }).click()
  await expect(page.getByText('You do not have any repositories yet.')).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
})

test('without a refresh token a hidden frame renews', async ({ page, server }) => {
  await signIn(page, server)
  await renewInHiddenFrame(page)
})

test('Logout ends the session at Keycloak and revokes the tokens', async ({ page, server }) => {
  await signIn(page, server)
  const { refresh_token: refreshToken } = await storedUser(page)
  const revocations: Promise<number>[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/revoke')) return
    revocations.push(request.response().then((response) => response!.status()))
  })
  await page.getByRole('button', { name: 'Logout' }).click()
  // Back at the site root, which leads to Keycloak, which asks for the password again.
  await expect(password(page)).toBeVisible()
  expect(await Promise.all(revocations)).toEqual([200, 200])
  const renewal = await fetch(`${authority}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken!,
      client_id: 'vitrine',
    }),
  })
  expect(renewal.status).toBe(400)
})

test('the command line signs in through the browser', async ({ page, server }) => {
  using commandLine = new CommandLine(server.url)
  const { address, ended } = await commandLine.login(/http:\S+\/auth\?\S+(?=\s)/, '--no-browser')
  await page.goto(address)
  await fillSignIn(page)
  await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
  expect(await ended).toEqual([0, null])
  expect(await commandLine.run('ls')).toEqual([0, null])
})

test('the command line signs in by a code', async ({ page, server }) => {
  using commandLine = new CommandLine(server.url)
  const { address, ended } = await commandLine.login(/http:\S+user_code=\S+(?=\s)/, '--device')
  await page.goto(address)
  await fillSignIn(page)
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Device Login Successful')).toBeVisible()
  expect(await ended).toEqual([0, null])
  expect(await commandLine.run('ls')).toEqual([0, null])
})

test('a session that was ended at Keycloak is told of, and begun again', async ({
  page,
  server,
}) => {
  await keycloak.setRealm({ accessTokenLifespan: 15 })
  await signIn(page, server)
  await keycloak.endSessions(alice.username)
  const notice = page.getByRole('alert').filter({ hasText: 'Your sign-in has expired' })
  await expect(notice).toBeVisible()
  await keycloak.setRealm({ accessTokenLifespan: 300 })
  await notice.getByRole('button', { name: 'Sign in again' }).click()
  await fillSignIn(page)
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
})

test('keys rotate without one refusal, twice in a row', async ({ page, browser, server }) => {
  await signIn(page, server)
  const refused = watchRefusals(page)
  const { access_token: first } = await storedUser(page)
  const ids = [await keyIdOf(page)]
  for (const priority of [200, 300]) {
    await keycloak.rotateKeys(priority)
    const another = await (await browser.newContext()).newPage()
    refused.push(...watchRefusals(another))
    await signIn(another, server)
    await another.getByRole('link', { name: 'Repos', exact: true }).click()
    await expect(another.getByText('You do not have any repositories yet.')).toBeVisible()
    ids.push(await keyIdOf(another))
    const { access_token: token } = await storedUser(another)
    for (const each of [first, token]) {
      await createClient({ baseUrl: server.url, token: () => each, retries: 0 }).repoList({})
    }
    await another.context().close()
  }
  expect(new Set(ids).size).toBe(3)
  expect(refused).toEqual([])
})

test('tokens of a client without the mapper name it as azp, and serve', async ({
  page,
  server,
}) => {
  await keycloak.useDefaultTokens()
  const refused = watchRefusals(page)
  await signIn(page, server)
  expect(await claimsOf(page)).toMatchObject({ typ: 'Bearer', azp: 'vitrine', aud: 'account' })
  await page.getByRole('link', { name: 'Repos', exact: true }).click()
  await expect(page.getByText('You do not have any repositories yet.')).toBeVisible()
  expect(refused).toEqual([])
})
