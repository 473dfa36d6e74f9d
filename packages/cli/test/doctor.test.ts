import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startS3Proxy } from '../../server/test/s3-proxy.ts'
import { isOnS3, ownS3Url } from '../../server/test/test-blobs.ts'
import { isOnSqlite } from '../../server/test/test-database.ts'
import { examine, start, type Line } from './examine.ts'
import { openInstallation } from './installation.ts'
import { vitrine } from './vitrine.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const statuses = (lines: Line[]) => lines.map(({ subject, status }) => `${subject} ${status}`)

describe('with nothing wrong', () => {
  test('a server that runs', async () => {
    const { server, env } = await start()
    const { lines } = await examine(env, await server.issuer.token())
    expect(lines.filter(({ status }) => status !== 'ok')).toEqual([])
    const subjects = new Set(lines.map(({ subject }) => subject))
    const all = 'settings database blobs logs disk server proxy provider clock token'.split(' ')
    expect([...subjects]).toEqual(all)
  })

  test('the built-in provider, and a token of it until its session is ended', async () => {
    const here = await openInstallation()
    onTestFinished(() => here.close())
    await here.login()
    const env = {
      VITRINE_DATA_DIR: join(here.folder, 'data'),
      VITRINE_PORT: new URL(here.url).port,
    }
    const token = (await here.run(['token'])).stdout.trim()
    const { lines } = await examine(env, token)
    expect(lines.filter(({ status }) => status !== 'ok')).toEqual([])
    expect(lines.at(-1)!.found).toMatch(/^the server takes it, as /)

    await here.run(['logout'])
    const { wrong } = await examine(env, token)
    expect(wrong).toMatchObject([
      {
        subject: 'token',
        found: expect.stringMatching(/TOKEN_INVALID: it was revoked, or its session/),
      },
    ])
  })

  test('before the first start', async () => {
    const env = { VITRINE_DATA_DIR: join(folder, 'new', 'data'), VITRINE_PORT: '2' }
    const { lines } = await examine(env)
    expect(statuses(lines)).toEqual([
      'settings ok',
      'database ok',
      'blobs ok',
      'disk ok',
      'server skipped',
      'provider skipped',
    ])
    // Nothing was made.
    expect(execFileSync('ls', [folder]).toString()).toBe('')
  })
})

test('one line a finding, with the setting to change', async () => {
  const ended = await vitrine(['doctor'], { env: { VITRINE_PORT: 'x', VITRINE_DATABSE_URL: 'y' } })
  expect(ended.stdout.split('\n').slice(0, 2)).toEqual([
    'wrong    settings  VITRINE_PORT must be a whole number from 0 to 65535. Change: VITRINE_PORT.',
    'wrong    settings  VITRINE_DATABSE_URL is not a variable that Vitrine knows. Change: VITRINE_DATABSE_URL.',
  ])
  expect(ended).toMatchObject({ code: 9, stderr: 'Wrong: 2 things.\n' })
  const none = await vitrine(['doctor', '--token'], { env: {} })
  expect(none).toMatchObject({ code: 2, stdout: '' })
})

describe('the database', () => {
  test('is reported when it is of a newer version', async () => {
    const { server, env } = await start()
    await server.database.use((store) =>
      store.write((transaction) =>
        sql`insert into kysely_migration (name, timestamp) values ('999-later', 'now')`.execute(
          transaction,
        ),
      ),
    )
    const { wrong } = await examine(env)
    expect(wrong[0]).toMatchObject({
      subject: 'database',
      found: expect.stringContaining('of a newer version of Vitrine'),
      change: expect.stringContaining('VITRINE_DATABASE_URL'),
    })
  })

  test('is reported when its file is no SQLite database', async () => {
    writeFileSync(join(folder, 'vitrine.db'), 'no database '.repeat(100))
    const { wrong } = await examine({ VITRINE_DATA_DIR: folder, VITRINE_PORT: '2' })
    expect(wrong).toMatchObject([
      { subject: 'database', change: expect.stringContaining('VITRINE_DATABASE_URL') },
    ])
  })

  test.skipIf(isOnSqlite)('is reported when it is missing, unreachable or read-only', async () => {
    const { env } = await start()
    const other = (change: (url: URL) => void) => {
      const url = new URL(env['VITRINE_DATABASE_URL']!)
      change(url)
      return examine({ ...env, VITRINE_DATABASE_URL: url.href })
    }
    const cases: [(url: URL) => void, RegExp][] = [
      [(url) => (url.pathname = '/nowhere'), /database "nowhere" does not exist/],
      [(url) => (url.port = '1'), /cannot be reached: connect ECONNREFUSED/],
      [
        (url) => url.searchParams.set('options', '-c default_transaction_read_only=on'),
        /it can only be read/,
      ],
    ]
    for (const [change, found] of cases) {
      expect((await other(change)).wrong[0]).toMatchObject({
        subject: 'database',
        found: expect.stringMatching(found),
        change: expect.stringContaining('VITRINE_DATABASE_URL'),
      })
    }
  })
})

describe('the blob store', () => {
  test('is reported when it belongs to another installation', async () => {
    const { env } = await start()
    const { server: other } = await start()
    const blobUrl = other.blobs.env['VITRINE_BLOB_URL'] ?? `file:${join(other.dataDir, 'blobs')}`
    const { wrong } = await examine({ ...env, VITRINE_BLOB_URL: blobUrl })
    expect(wrong).toMatchObject([
      {
        subject: 'blobs',
        found: expect.stringMatching(/belong to installation .* the database to installation/),
        change: 'VITRINE_DATABASE_URL or VITRINE_BLOB_URL',
      },
    ])
  })

  test('is reported when its database is missing', async () => {
    const { server, env } = await start()
    const blobUrl = server.blobs.env['VITRINE_BLOB_URL'] ?? `file:${join(server.dataDir, 'blobs')}`
    const database = `sqlite:${join(folder, 'new.db')}`
    const moved = { ...env, VITRINE_BLOB_URL: blobUrl, VITRINE_DATABASE_URL: database }
    expect((await examine(moved)).wrong).toMatchObject([
      { subject: 'blobs', found: expect.stringContaining('there is no database of it') },
    ])
  })

  test('is reported when its path is a file', async () => {
    writeFileSync(join(folder, 'file'), '')
    const env = { VITRINE_DATA_DIR: folder, VITRINE_PORT: '2' }
    const { wrong } = await examine({ ...env, VITRINE_BLOB_URL: `file:${join(folder, 'file')}` })
    expect(wrong).toMatchObject([
      { subject: 'blobs', change: expect.stringMatching(/^VITRINE_BLOB_URL/) },
    ])
  })

  test.skipIf(!isOnS3)('in S3 that is set up wrongly', async () => {
    const { env } = await start()
    const other = (change: (url: URL) => void) => {
      const url = new URL(env['VITRINE_BLOB_URL']!)
      change(url)
      return examine({ ...env, VITRINE_BLOB_URL: url.href })
    }
    const cases: [(url: URL) => void, RegExp][] = [
      [(url) => (url.hostname = 'elsewhere'), /There is no bucket elsewhere/],
      [(url) => url.searchParams.set('region', 'eu-1'), /The region .* is not right/],
      [(url) => url.searchParams.set('endpoint', 'http://127.0.0.1:1'), /ECONNREFUSED/],
    ]
    for (const [change, found] of cases) {
      expect((await other(change)).wrong[0]).toMatchObject({
        subject: 'blobs',
        found: expect.stringMatching(found),
        change: expect.stringContaining('VITRINE_BLOB_URL'),
      })
    }
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect((await examine(env)).wrong[0]!.found).toMatch(/refuses the credentials/)
  })

  test.skipIf(!isOnS3)('in S3 that does not know checksums, or has another time', async () => {
    const proxy = await startS3Proxy()
    onTestFinished(proxy.close)
    const { env } = await start({ VITRINE_BLOB_URL: ownS3Url(proxy.endpoint) })
    proxy.fault = ({ method, path }) =>
      method !== 'GET' && /\.other/.test(path) ? 'taken' : undefined
    expect((await examine(env)).wrong).toMatchObject([
      {
        subject: 'blobs',
        found: expect.stringMatching(/takes bytes that are not those of the x-amz-checksum/),
      },
    ])
    proxy.fault = () => undefined
    proxy.date = new Date(Date.now() - 60_000).toUTCString()
    expect((await examine(env)).wrong).toMatchObject([
      { subject: 'clock', found: expect.stringMatching(/^this machine is \d\d s ahead of the S3/) },
    ])
    expect(proxy.requests.filter(({ path }) => path.includes('check-')).length).toBeGreaterThan(20)
  })
})

test('a folder that exists is looked at without a trace', async () => {
  const blobs = join(folder, 'blobs')
  mkdirSync(blobs)
  await examine({ VITRINE_DATA_DIR: folder, VITRINE_PORT: '2' })
  expect(execFileSync('ls', ['-A', blobs]).toString()).toBe('')
})
