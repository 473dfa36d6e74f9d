import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { admin, type LocalServer, startLocalServer } from './local-server.ts'
import type { Visitor } from './sign-in.ts'

let server: LocalServer
let visitor: Visitor

beforeAll(async () => {
  server = await startLocalServer()
})
afterAll(() => server.close())
beforeEach(() => {
  visitor = server.visitor()
})

test('it is a form that works without scripts, and that nothing may frame', async () => {
  const { location } = await visitor.authorize()
  const page = await visitor.jar.fetch(location)
  expect(page.status).toBe(200)
  expect(page.headers.get('cache-control')).toBe('no-store')
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  const text = await page.text()
  expect(text).not.toContain('<script')
  expect(text).toMatch(/<form method="post"/)
  expect(text).toMatch(/<label for="username">Username<\/label>/)
  expect(text).toMatch(/<label for="password">Password<\/label>/)
  expect(text).toMatch(/<button type="submit">Sign in<\/button>/)
})

test('a wrong password and an unknown name are refused alike, keeping the name', async () => {
  const { location } = await visitor.authorize()
  for (const username of ['admin', 'nobody', '', '"><script>alert(1)</script>']) {
    const again = await visitor.submit(location, { username, password: 'wrong password' })
    const text = await again.text()
    expect(again.status).toBe(400)
    expect(text).toContain('Wrong username or password')
    expect(text).not.toContain('<script')
  }
  expect((await visitor.submit(location, admin)).status).toBe(303)
})

test('it is of nobody else, nor of another sign-in', async () => {
  const { location } = await visitor.authorize()
  const stranger = server.visitor()
  expect((await stranger.submit(location, admin)).status).toBe(400)
  await stranger.authorize()
  expect((await stranger.submit(location, admin)).status).toBe(400)
  expect((await visitor.submit(`${location}x`, admin)).status).toBe(400)
})

test('used, it has ended', async () => {
  const { location } = await visitor.authorize()
  const submitted = await visitor.submit(location, admin)
  await visitor.jar.fetch(submitted.headers.get('location') ?? '')
  const again = await visitor.jar.fetch(location)
  expect(again.status).toBe(400)
  expect(await again.text()).toContain('This sign-in has ended')
})

test('a form that is no form is refused', async () => {
  const { location } = await visitor.authorize()
  const refused = async (body: BodyInit, type: string) =>
    (await visitor.jar.fetch(location, { method: 'POST', body, headers: { 'content-type': type } }))
      .status
  const form = 'application/x-www-form-urlencoded'
  expect(await refused('{}', 'application/json')).toBe(415)
  expect(await refused(`username=admin&password=${'x'.repeat(9_000)}`, form)).toBe(413)
  expect(await refused('', form)).toBe(400)
})

test('guessing is slowed down, by account and together, also with the right password', async () => {
  const { location } = await visitor.authorize()
  const guess = (password: string) => visitor.submit(location, { username: 'victim', password })
  for (let free = 1; free <= 5; free += 1) expect((await guess('wrong')).status).toBe(400)
  // Later, and after so many more that the next wait is minutes long.
  await server.database.use(({ write }) =>
    write((transaction) =>
      transaction.updateTable('sign_in_attempts').set({ failures: 15, retry_at: 0 }).execute(),
    ),
  )
  // All at once: counting after the fact would let all of them through.
  const together = await Promise.all(Array.from({ length: 7 }, (_, n) => guess(`guess ${n}`)))
  const statuses = together.map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([400, ...Array.from({ length: 6 }, () => 429)])

  const refused = together.find(({ status }) => status === 429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused?.text()).toMatch(/Too many attempts\. Try again in 5 minutes\./)
  // Another account is not the victim's.
  expect((await visitor.submit(location, admin)).status).toBe(303)
})
