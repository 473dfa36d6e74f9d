import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readConfig, startServer } from '@vitrine/server'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { addressIn, goThrough, openInstallation, printed, signInAt } from './installation.ts'
import type { Computer, Installation } from './installation.ts'

let installation: Installation
let here: Computer

beforeAll(async () => {
  installation = await openInstallation()
})
beforeEach(() => {
  here = installation.openComputer()
})
afterAll(() => installation.close())

type Kept = {
  current?: string
  servers: Record<string, { accessToken: string; refreshToken: string; expiresAt: number }>
}
const kept = () => JSON.parse(readFileSync(here.credentialsFile, 'utf8')) as Kept
const keptHere = () => kept().servers[here.url]!

/** Makes the access token look as if its time were over. */
const age = () => {
  const credentials = kept()
  credentials.servers[here.url]!.expiresAt = Date.now() - 1000
  writeFileSync(here.credentialsFile, JSON.stringify(credentials))
}

test('somebody signs in through the browser, and is signed in from then on', async () => {
  const before = await here.run(['ls'])
  expect(before).toMatchObject({ code: 3, stdout: '' })
  expect(before.stderr).toBe(
    `You are not signed in to ${here.url}. Sign in with \`vitrine login --server ${here.url}\`, or set VITRINE_TOKEN.\n`,
  )
  const { code, stdout } = await here.login()
  expect({ code, stdout }).toEqual({ code: 0, stdout: `Signed in to ${here.url} as admin.\n` })
  expect(await here.run(['ls'])).toEqual({ code: 0, stdout: '', stderr: '' })
  // The server signed in to last is the one that is meant.
  expect((await here.run(['ls'], { env: { VITRINE_SERVER: '' } })).code).toBe(0)
})

test('somebody signs in by a code, in a browser elsewhere', async () => {
  // The provider is asked every five seconds.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { child, ended } = here.start(['login', '--device'])
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  const shown = await printed(child.stderr, /enter the code (\S+) there.*\?user_code=(\S+)\s/s)
  const [, code = '', inAddress] = shown
  expect(inAddress).toBe(code)
  const { jar, issuer } = here.visitor
  const page = await (await jar.fetch(`${issuer}/device`)).text()
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const form = new URLSearchParams({ user_code: code, xsrf, confirm: 'yes' })
  const entered = await jar.fetch(`${issuer}/device`, { method: 'POST', body: form })
  const signedIn = await signInAt(here.visitor, entered)
  expect(await signedIn.text()).toContain('The command line is signed in')
  await expect.poll(() => (vi.advanceTimersByTime(1000), hasEnded), { interval: 5 }).toBe(true)
  vi.useRealTimers()
  expect(await ended).toMatchObject({ code: 0, stdout: `Signed in to ${here.url} as admin.\n` })
  age()
  expect((await here.run(['ls'])).code).toBe(0)
})

test('the credentials file and its folder are readable by their owner only', async () => {
  await here.login()
  expect(statSync(here.credentialsFile).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(here.credentialsFile)).mode & 0o777).toBe(0o700)
  age()
  await here.run(['ls'])
  expect(statSync(here.credentialsFile).mode & 0o777).toBe(0o600)
})

test('a token is renewed when its time is over', async () => {
  await here.login()
  const first = keptHere()
  age()
  expect((await here.run(['ls'])).code).toBe(0)
  const second = keptHere()
  expect(second.accessToken).not.toBe(first.accessToken)
  expect(second.refreshToken).not.toBe(first.refreshToken)
  expect(second.expiresAt).toBeGreaterThan(Date.now())
})

test('a sign-in that has ended is told as such', async () => {
  await here.login()
  const { refreshToken } = keptHere()
  await here.visitor.post('token/revocation', { client_id: 'vitrine-cli', token: refreshToken })
  age()
  const { code, stderr } = await here.run(['ls'])
  expect(code).toBe(3)
  expect(stderr).toContain(`Your sign-in to ${here.url} has ended. Sign in with`)
})

test('logout removes the credentials and revokes the refresh token', async () => {
  await here.login()
  const { refreshToken } = keptHere()
  expect(await here.run(['logout'])).toEqual({
    code: 0,
    stdout: `Signed out of ${here.url}.\n`,
    stderr: '',
  })
  expect(kept()).toEqual({ servers: {} })
  const refreshed = await here.visitor.token({
    grant_type: 'refresh_token',
    client_id: 'vitrine-cli',
    refresh_token: refreshToken,
  })
  expect(refreshed.status).toBe(400)
  const again = await here.run(['logout'])
  expect(again).toMatchObject({ code: 0, stdout: `You were not signed in to ${here.url}.\n` })
})

test('a token in the environment takes the place of a sign-in', async () => {
  await here.login()
  const { accessToken } = keptHere()
  rmSync(here.credentialsFile)
  expect((await here.run(['ls'], { env: { VITRINE_TOKEN: accessToken } })).code).toBe(0)
  const { code, stderr } = await here.run(['ls'], { env: { VITRINE_TOKEN: 'no-token' } })
  expect(code).toBe(3)
  expect(stderr).toContain('Sign in again with `vitrine login`')
})

test('other programs get a token of the sign-in, a new one when the last has ended', async () => {
  expect((await here.run(['token'])).code).toBe(3)
  await here.login()
  const { accessToken } = keptHere()
  expect(await here.run(['token'])).toEqual({ code: 0, stdout: `${accessToken}\n`, stderr: '' })
  age()
  const { stdout } = await here.run(['token', '--json'])
  expect(JSON.parse(stdout)).toEqual({ accessToken: keptHere().accessToken })
  expect(keptHere().accessToken).not.toBe(accessToken)
  const headers = { authorization: `Bearer ${keptHere().accessToken}` }
  expect((await fetch(`${here.url}/api/repo`, { headers })).status).toBe(200)
})

test('errors are JSON with --json', async () => {
  const { code, stdout, stderr } = await here.run(['ls', '--json'], {
    env: { VITRINE_TOKEN: 'no-token' },
  })
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(JSON.parse(stderr)).toMatchObject({ exitCode: 3, status: 401, code: 'TOKEN_INVALID' })
})

test('servers are kept apart', async () => {
  await here.login()
  const other = await startServer(
    readConfig({
      VITRINE_DATA_DIR: `${here.folder}/other`,
      VITRINE_PORT: '0',
      VITRINE_LOG_LEVEL: 'silent',
    }),
  )
  const { code, stderr } = await here.run(['ls', '--server', other.url])
  await other.close()
  expect(code).toBe(3)
  expect(stderr).toContain(`You are not signed in to ${other.url}.`)
})

test('only the provider ends the wait for the browser', async () => {
  const { child, ended } = here.start(['login', '--no-browser'])
  const address = await addressIn(child.stderr)
  const { searchParams } = new URL(address)
  const callback = searchParams.get('redirect_uri') ?? ''
  for (const guess of ['', '?code=x', '?code=x&state=y', '?error=access_denied&state=']) {
    expect((await fetch(`${callback}${guess}`)).status).toBe(404)
  }
  expect(child.exitCode).toBeNull()
  const page = await goThrough(here.visitor, address)
  expect(await page.text()).toContain('You are signed in')
  expect((await ended).code).toBe(0)
})

test('a code that was tampered with signs nobody in', async () => {
  const { child, ended } = here.start(['login', '--no-browser'])
  const { searchParams } = new URL(await addressIn(child.stderr))
  const answer = new URL(searchParams.get('redirect_uri') ?? '')
  answer.searchParams.set('state', searchParams.get('state') ?? '')
  answer.searchParams.set('code', 'made-up')
  answer.searchParams.set('iss', here.visitor.issuer)
  await fetch(answer)
  const { code, stderr } = await ended
  expect(code).toBe(3)
  expect(stderr).toContain('The sign-in failed: ')
  expect((await here.run(['ls'])).code).toBe(3)
})

test('a server that is not there is told as such', async () => {
  for (const words of [['ls'], ['login'], ['show', 'cats']]) {
    const { code, stderr } = await here.run([...words, '--server', 'http://127.0.0.1:9'])
    expect(code).toBe(7)
    expect(stderr).toContain('No Vitrine answers at http://127.0.0.1:9. Start one with')
  }
})
