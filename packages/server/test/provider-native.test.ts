import { runtimeConfig } from '@vitrine/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { admin, type LocalServer, startLocalServer } from './local-server.ts'
import type { Tokens, Visitor } from './sign-in.ts'

const client_id = 'vitrine-cli'
const redirect_uri = 'http://127.0.0.1:49152/callback'
const asCli = { client_id, redirect_uri }

let server: LocalServer
let visitor: Visitor

beforeAll(async () => {
  server = await startLocalServer()
})
afterAll(() => server.close())
beforeEach(() => {
  visitor = server.visitor()
})

async function signInCli(): Promise<Tokens> {
  const { location, verifier } = await visitor.authorize(asCli)
  const submitted = await visitor.submit(location, admin)
  const resumed = await visitor.jar.fetch(submitted.headers.get('location') ?? '')
  const answer = new URL(resumed.headers.get('location') ?? '')
  expect(answer.href.split('?')[0]).toBe(redirect_uri)
  const response = await visitor.token({
    ...asCli,
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code') ?? '',
    code_verifier: verifier,
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Tokens
}

const refresh = (refresh_token: string) =>
  visitor.token({ grant_type: 'refresh_token', client_id, refresh_token })
const apiStatus = async (token: string) => (await server.request('/api/dataset', { token })).status

test('the command line signs in on whichever port it listens', async () => {
  const announced = runtimeConfig.parse(await (await fetch(`${server.url}/config.json`)).json())
  expect(announced.cliClientId).toBe(client_id)
  expect(await apiStatus((await signInCli()).access_token)).toBe(200)
})

test.for([
  'http://127.0.0.1:49152/',
  'http://127.0.0.1:49152/callback/',
  'http://127.0.0.1:49152/callback?next=1',
  'http://localhost:49152/callback',
  'http://127.0.0.1.evil.test/callback',
  'http://127.0.0.1@evil.test/callback',
  'https://evil.test/callback',
])('the command line is not redirected to %s', async (elsewhere) => {
  const { response, location } = await visitor.authorize({ client_id, redirect_uri: elsewhere })
  expect({ status: response.status, location }).toEqual({ status: 400, location: '' })
})

test('somebody types the password, even where the browser has a session', async () => {
  await visitor.signIn(admin)
  const { location } = await visitor.authorize(asCli)
  expect(location).toContain('/realms/local/sign-in/')
  const page = await visitor.jar.fetch(location)
  expect(await page.text()).toContain('command on this computer')
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("form-action 'self' http://127.0.0.1:*;")
  const silent = await visitor.authorize({ ...asCli, prompt: 'none' })
  expect(new URL(silent.location).searchParams.get('error')).toBe('login_required')
})

test('the page of the web app leads nowhere else', async () => {
  const { location } = await visitor.authorize()
  const page = await visitor.jar.fetch(location)
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self';")
  expect(await page.text()).not.toContain('command on this computer')
})

test('signing out in the browser leaves the command line signed in', async () => {
  const { id_token, refresh_token: webRefreshToken } = await visitor.signIn(admin)
  const { refresh_token } = await signInCli()
  const query = new URLSearchParams({
    id_token_hint: id_token,
    post_logout_redirect_uri: `${server.publicUrl}/`,
  })
  const page = await (await visitor.jar.fetch(`${visitor.issuer}/session/end?${query}`)).text()
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const ended = await visitor.jar.fetch(`${visitor.issuer}/session/end/confirm`, {
    method: 'POST',
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
  expect(ended.status).toBe(303)
  expect((await visitor.refresh(webRefreshToken)).status).toBe(400)
  expect((await refresh(refresh_token)).status).toBe(200)
})

test('signing out one command line leaves another signed in, and the browser', async () => {
  const web = await visitor.signIn(admin)
  const first = await signInCli()
  const second = await signInCli()
  const revoked = await visitor.post('token/revocation', {
    client_id,
    token: first.refresh_token,
    token_type_hint: 'refresh_token',
  })
  expect(revoked.status).toBe(200)
  expect((await refresh(first.refresh_token)).status).toBe(400)
  expect((await refresh(second.refresh_token)).status).toBe(200)
  expect((await visitor.refresh(web.refresh_token)).status).toBe(200)
})
