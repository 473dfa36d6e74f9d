import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { admin, type LocalServer, startLocalServer } from './local-server.ts'
import type { Tokens, Visitor } from './sign-in.ts'

const client_id = 'vitrine-cli'
const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'

let server: LocalServer
let visitor: Visitor

beforeAll(async () => {
  server = await startLocalServer({}, { restarts: true })
})
afterAll(() => server.close())
beforeEach(() => {
  visitor = server.visitor()
})

type DeviceCode = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
}

async function askForCode(): Promise<DeviceCode> {
  const response = await visitor.post('device/auth', { client_id, scope: 'openid profile' })
  expect(response.status).toBe(200)
  return (await response.json()) as DeviceCode
}

async function poll({ device_code }: DeviceCode): Promise<Tokens & { error?: string }> {
  const response = await visitor.token({ grant_type, client_id, device_code })
  return (await response.json()) as Tokens & { error?: string }
}

const fieldIn = (page: string, name: string) =>
  new RegExp(`name="${name}"[^>]*?value="([^"]*)"`, 's').exec(page)?.[1] ?? ''

/** Opens the page and sends its form with a code. */
async function enter(user_code: string, address = `${visitor.issuer}/device`): Promise<Response> {
  const page = await (await visitor.jar.fetch(address)).text()
  return send({ user_code, xsrf: fieldIn(page, 'xsrf') })
}

const send = (form: Record<string, string>) =>
  visitor.jar.fetch(`${visitor.issuer}/device`, {
    method: 'POST',
    body: new URLSearchParams({ confirm: 'yes', ...form }),
  })

const locationOf = (response: Response) =>
  new URL(response.headers.get('location') ?? '', response.url).href

test('discovery names the endpoint, and the code is for people to read', async () => {
  const discovery = await fetch(`${visitor.issuer}/.well-known/openid-configuration`)
  const { device_authorization_endpoint: endpoint, grant_types_supported: types } =
    (await discovery.json()) as { device_authorization_endpoint: string; grant_types_supported: [] }
  expect(endpoint).toBe(`${visitor.issuer}/device/auth`)
  expect(types).toContain(grant_type)
  const code = await askForCode()
  expect(code.user_code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/)
  expect(code.verification_uri).toBe(`${visitor.issuer}/device`)
  expect(code.expires_in).toBe(600)
  expect((await poll(code)).error).toBe('authorization_pending')
})

test('entering the code and signing in signs in the command line, apart from the browser session', async () => {
  const code = await askForCode()
  const entered = await enter(code.user_code.toLowerCase().replace('-', ' '))
  expect(entered.status).toBe(303)
  const signInPage = await (await visitor.jar.fetch(locationOf(entered))).text()
  expect(signInPage).toContain('command that shows the code')
  const submitted = await visitor.submit(locationOf(entered), admin)
  expect((await poll(code)).error).toBe('authorization_pending')
  const ended = await visitor.jar.fetch(locationOf(submitted))
  expect(await ended.text()).toContain('The command line is signed in')

  const tokens = await poll(code)
  const status = async (token: string) => (await server.request('/api/dataset', { token })).status
  expect(await status(tokens.access_token)).toBe(200)
  // A device code is good once, and the sign-in does not end with the browser's session.
  expect((await poll(code)).error).toBe('invalid_grant')
})

test('somebody types the password, even where the browser has a session', async () => {
  await visitor.signIn(admin)
  const entered = await enter((await askForCode()).user_code)
  expect(locationOf(entered)).toContain('/realms/local/sign-in/')
})

test('the sign-in outlives a restart of the server, and can be renewed', async () => {
  const code = await askForCode()
  const entered = await enter(code.user_code)
  await server.restart()
  const submitted = await visitor.submit(locationOf(entered), admin)
  await visitor.jar.fetch(locationOf(submitted))
  await server.restart()
  const { refresh_token } = await poll(code)
  const renewed = await visitor.token({ grant_type: 'refresh_token', client_id, refresh_token })
  expect(renewed.status).toBe(200)
})

test('an address with the code shows it, to be looked at', async () => {
  const { user_code, verification_uri_complete: address } = await askForCode()
  const response = await visitor.jar.fetch(address)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  const page = await response.text()
  expect(fieldIn(page, 'user_code')).toBe(user_code)
  expect(page).not.toContain('<script')
  const hostile = await visitor.jar.fetch(`${visitor.issuer}/device?user_code="><script>x`)
  expect(await hostile.text()).not.toContain('<script')
})

test.each([
  ['BCDF-GHJK', 'There is no such code'],
  ['', 'Enter the code'],
  ['<script>', 'There is no such code'],
])('the code %j is refused', async (user_code, sentence) => {
  const refused = await enter(user_code)
  const page = await refused.text()
  expect(page).toContain(sentence)
  expect(page).not.toContain('<script')
  expect(refused.status).toBe(400)
})

test('a code is entered once, and not from another site', async () => {
  const code = await askForCode()
  const stranger = await send({ user_code: code.user_code, xsrf: 'guessed' })
  expect([stranger.status, locationOf(stranger)]).toEqual([303, code.verification_uri])
  await visitor.jar.fetch(code.verification_uri)
  const forged = await send({ user_code: code.user_code, xsrf: 'guessed' })
  expect(await forged.text()).toContain('This page was open for too long')
  expect((await enter(code.user_code)).status).toBe(303)
  const again = await enter(code.user_code)
  expect(await again.text()).toContain('This code was used already')
})

test('the web app gets no codes', async () => {
  const response = await visitor.post('device/auth', { client_id: 'vitrine', scope: 'openid' })
  expect(response.status).toBe(400)
  expect(response.headers.get('content-type')).toContain('application/json')
})

test('wrong codes are counted and slowed down as wrong passwords are', async () => {
  const own = await startLocalServer()
  const begin = own.visitor()
  const page = async () => {
    const text = await (await begin.jar.fetch(`${begin.issuer}/device`)).text()
    return fieldIn(text, 'xsrf')
  }
  const type = async (user_code: string) => {
    const body = new URLSearchParams({ confirm: 'yes', user_code, xsrf: await page() })
    return begin.jar.fetch(`${begin.issuer}/device`, { method: 'POST', body })
  }
  const failures = () =>
    own.database.use(async ({ reads }) => {
      const rows = await reads.selectFrom('sign_in_attempts').select('failures').execute()
      return rows.map((row) => row.failures)
    })
  const asked = await begin.post('device/auth', { client_id, scope: 'openid profile' })
  const { user_code } = (await asked.json()) as DeviceCode
  expect((await type('BCDF-GHJK')).status).toBe(400)
  expect(await failures()).toEqual([1])
  // Neither nothing nor a code that there is counts as a guess.
  expect((await type('')).status).toBe(400)
  expect((await type(user_code)).status).toBe(303)
  expect((await type(user_code)).status).toBe(400)
  expect(await failures()).toEqual([1])

  const never = Date.now() + 86_400_000
  await own.database.use((store) =>
    store.write((transaction) =>
      transaction
        .updateTable('sign_in_attempts')
        .set({ failures: 50, retry_at: never, forget_at: never })
        .execute(),
    ),
  )
  const refused = await type('BCDF-GHJL')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toContain('Too many attempts. Try again in')
  await own.close()
})
