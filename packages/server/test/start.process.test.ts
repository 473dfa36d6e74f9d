import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { describeStart } from '../src/describe-start.ts'
import { readConfig } from '../src/start.ts'

const about = { version: '1', url: 'http://localhost', issuer: 'http://localhost/realms/local' }
const main = new URL('../src/main.ts', import.meta.url).pathname
let folder: string
let started: ChildProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  started = []
})

afterEach(async () => {
  for (const child of started) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  rmSync(folder, { recursive: true })
})

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], VITRINE_PORT: '0', VITRINE_DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += String(chunk)
  })
  const address = async () => {
    for (;;) {
      const found = /Vitrine is at (http:\/\/localhost:\d+)/.exec(printed)
      if (found !== null) return found[1]!
      await once(child.stdout, 'data')
    }
  }
  const ended = async () => {
    // All that it printed is here only once its pipes are closed.
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    return { code: code as number | null, stdout: printed, stderr }
  }
  return { child, address, ended }
}

test.for([
  [{ VITRINE_PORT: 'http' }, 'VITRINE_PORT must be a whole number from 0 to 65535.'],
  [{ VITRINE_PUBLIC_URL: 'example.org' }, 'VITRINE_PUBLIC_URL must be an http or https address.'],
  [
    { VITRINE_PUBLIC_URL: 'https://example.org/vitrine' },
    'VITRINE_PUBLIC_URL must be the address of a host, without a path',
  ],
  [{ VITRINE_LOG_LEVEL: 'loud' }, 'VITRINE_LOG_LEVEL must be one of fatal, error, warn'],
  [{ VITRINE_PROT: '8080' }, 'VITRINE_PROT is not a variable that Vitrine knows.'],
] as [Record<string, string>, string][])('%j is refused with a sentence', ([env, sentence]) => {
  expect(() => readConfig({ VITRINE_DATA_DIR: folder, ...env })).toThrow(sentence)
})

test('a start that is refused ends with the sentence, and no stack', async () => {
  const { code, stderr } = await start({ VITRINE_HOST: '203.0.113.7' }).ended()
  expect(code).toBe(1)
  expect(stderr).toContain('VITRINE_HOST 203.0.113.7 is no address of this machine.')
  expect(stderr).not.toContain('    at ')
})

test('a port that is taken is refused with a sentence', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  const { code, stderr } = await start({ VITRINE_PORT: String(port) }).ended()
  holder.close()
  expect(code).toBe(1)
  expect(stderr).toContain(`Port ${port} of 127.0.0.1 is taken: set VITRINE_PORT to another one`)
})

test('a second process on the same data is refused, until the first is gone', async () => {
  const first = start({})
  const url = await first.address()
  const second = await start({}).ended()
  expect(second.code).toBe(1)
  expect(second.stderr).toContain(`Another process works on the data folder ${folder}`)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)

  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  await start({}).address()
})

test.for(['SIGINT', 'SIGTERM'] as const)('%s stops it gently', async (signal) => {
  const running = start({})
  const url = await running.address()
  // A connection that is kept alive must not keep the process alive.
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  running.child.kill(signal)
  const { code } = await running.ended()
  expect(code).toBe(0)
})

test('log lines carry a request id, and no token or query', async () => {
  const running = start({})
  const url = await running.address()
  const response = await fetch(`${url}/api/dataset?code=hidden`, {
    headers: { authorization: 'Bearer very.secret.token' },
  })
  running.child.kill('SIGTERM')
  const { stdout } = await running.ended()
  expect(stdout).toContain(String(response.headers.get('x-request-id')))
  expect(stdout).not.toContain('very.secret')
  expect(stdout).not.toContain('hidden')
})

test('every line on standard output is JSON, and the first says what was started', async () => {
  const running = start({ VITRINE_OIDC_CLIENT_ID: 'own' })
  const url = await running.address()
  running.child.kill('SIGTERM')
  const { stdout } = await running.ended()
  const lines = stdout.trim().split('\n')
  const [first, ...others] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(first).toMatchObject({
    msg: 'Vitrine starts',
    version: manifest.version,
    node: process.version,
    url,
    database: `sqlite: ${join(folder, 'vitrine.db')}`,
    blobs: `files: ${join(folder, 'blobs')}`,
    issuer: `${url}/realms/local`,
  })
  const said = others.map(({ msg }) => msg)
  expect(said).toContain(`Vitrine is at ${url}`)
  expect(said).toContainEqual(expect.stringMatching(/^Sign in as admin with the password \S+ \(/))
})

test('people are told where it is and how to sign in, however little is logged', async () => {
  const running = start({ VITRINE_LOG_LEVEL: 'silent' })
  const url = await running.address()
  running.child.kill('SIGTERM')
  const { stdout } = await running.ended()
  const said = stdout.trim().split('\n')
  expect(said.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    `Vitrine is at ${url}`,
    expect.stringMatching(/^Sign in as admin with the password \S+ \(it is shown this once\)\.$/),
  ])
})

test('the first line has no password of the database', async () => {
  const secret = 'postgres://me:hidden@127.0.0.1:1/db?sslpassword=hidden'
  expect(describeStart(readConfig({ VITRINE_DATABASE_URL: secret }), about)).toMatchObject({
    database: 'postgres: 127.0.0.1:1/db',
  })
  const blobs = 's3://bucket/some?endpoint=https://s3.example.org'
  expect(describeStart(readConfig({ VITRINE_BLOB_URL: blobs }), about)).toMatchObject({
    blobs: 's3: bucket/some/ at s3.example.org',
  })
})

// Browsers open connections ahead of need; the wait for running requests is not for them.
test('a connection on which nothing was asked keeps no server from ending', async () => {
  const { child, address, ended } = start({})
  const ending = ended()
  const url = await address()
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  const silent = connect(Number(new URL(url).port), '127.0.0.1')
  await once(silent, 'connect')
  child.kill('SIGTERM')
  expect((await ending).code).toBe(0)
  silent.destroy()
})
