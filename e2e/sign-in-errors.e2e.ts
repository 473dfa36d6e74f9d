import type { Page } from '@playwright/test'
import { expect, signedOut, test } from './app.ts'
import { fillSignIn, signIn } from './sign-in.ts'

test.use(signedOut)

/** Begins to sign in and gives the state that the app has stored for it. */
async function beginSignIn(page: Page, url = '/'): Promise<string> {
  const asked = page.waitForRequest((request) => request.url().includes('code_challenge='))
  await page.goto(url)
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible()
  return new URL((await asked).url()).searchParams.get('state') ?? ''
}

/** The error is there, stays without a loop of redirects, and Try again leads to the provider. */
async function expectFailure(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign-in failed' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText(text)
  const left: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) left.push(request.url())
  })
  // The longest thing that could still lead away is the app's own start, which is over by now.
  await page.waitForLoadState('networkidle')
  expect(left).toEqual([])

  await page.getByRole('button', { name: 'Try again' }).click()
  await fillSignIn(page)
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
}

test(
  "the provider's refusal is shown with a way to try again",
  { tag: '@core' },
  async ({ page }) => {
    const state = await beginSignIn(page)
    const refusal = new URLSearchParams({
      error: 'access_denied',
      error_description: 'The door is shut',
      state,
    })
    await page.goto(`/?${refusal}`)
    await expectFailure(page, 'The door is shut')
  },
)

test('a callback that nobody asked for is refused', async ({ page }) => {
  await page.goto('/?code=abc&state=never-issued')
  await expectFailure(page, 'No matching state found in storage')
})

test('a callback in the fragment is refused like one in the query', async ({ page }) => {
  await page.goto('/#code=abc&state=never-issued')
  await expect(page.getByRole('heading', { name: 'Sign-in failed' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('a callback with another state than was stored is refused', async ({ page }) => {
  const state = await beginSignIn(page)
  // The sign-in page is of the same origin, and so shares the storage of the app.
  await page.evaluate((id) => {
    localStorage.setItem('oidc.another', localStorage.getItem(`oidc.${id}`) ?? '')
  }, state)
  await page.goto('/?code=abc&state=another')
  await expectFailure(page, 'State does not match')
})

test('a code that the provider did not issue is refused', async ({ page, console }) => {
  console.expect(/status of 400/)
  const state = await beginSignIn(page)
  await page.goto(`/?code=made-up&state=${state}`)
  await expectFailure(page, 'invalid')
})

test('an ID token without a subject is refused', async ({ page, launchOther }) => {
  const other = await launchOther()
  other.alter('POST /realms/local/token', (reply) => {
    const tokens = JSON.parse(reply.body) as { id_token: string }
    const [header, claims = ''] = tokens.id_token.split('.')
    const { sub: _, ...others } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
      sub: string
    }
    const changed = Buffer.from(JSON.stringify(others)).toString('base64url')
    return {
      ...reply,
      body: JSON.stringify({ ...tokens, id_token: `${header}.${changed}.c2lnbmF0dXJl` }),
    }
  })
  await beginSignIn(page, other.url)
  await fillSignIn(page)
  await expect(page.getByRole('heading', { name: 'Sign-in failed' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('ID Token is missing a subject claim')
})

test('a provider that cannot sign out is told of', async ({ page, launchOther }) => {
  const other = await launchOther()
  other.alter('GET /realms/local/.well-known/openid-configuration', (reply) => {
    const { end_session_endpoint: _, ...others } = JSON.parse(reply.body) as {
      end_session_endpoint: string
    }
    return { ...reply, body: JSON.stringify(others) }
  })
  await signIn(page, other.url)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Sign-out failed' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('No end session endpoint')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test(
  'a provider that cannot be reached is told of, not looped on',
  { tag: '@core' },
  async ({ page, launchOther, console }) => {
    console.expect(/status of 503/)
    const other = await launchOther()
    other.alter('GET /realms/local/.well-known/openid-configuration', () => ({
      status: 503,
      body: 'down for maintenance',
    }))
    await page.goto(other.url)
    await expect(page.getByRole('heading', { name: 'Sign-in failed' })).toBeVisible()
    other.restore()
    await page.getByRole('button', { name: 'Try again' }).click()
    await fillSignIn(page)
    await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
  },
)

test('a server without a configuration is told of', async ({ page, launchOther, console }) => {
  console.expect(/status of 500/)
  const other = await launchOther()
  other.alter('GET /config.json', () => ({ status: 500, body: '' }))
  await page.goto(other.url)
  await expect(page.getByRole('heading', { name: 'Vitrine could not start' })).toBeVisible()
  other.restore()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible()
})
