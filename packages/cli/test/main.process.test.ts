import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { ImportState, SealedItem } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'
import { spawnVitrine } from './spawn-vitrine.ts'

const rowCount = 30_000

let here: Installation
let file: (name: string) => string

beforeAll(async () => {
  here = await openInstallation()
  file = (name) => join(here.folder, name)
  await here.login()
  for (const name of ['notes', 'towns', 'villages']) {
    const schema = '  - { name: text, type: string }\n'
    await here.run(['create', '-f', here.write('d.yaml', `name: ${name}\nschema:\n${schema}`)])
  }
  const rows = Array.from({ length: rowCount }, (_, row) => `{"text":"a note of number ${row}"}\n`)
  await here.run(['import', 'notes', here.write('notes.ndjson', rows.join(''))])
})
afterAll(() => here.close())

const spawn = (words: string[]) =>
  spawnVitrine(words, { XDG_CONFIG_HOME: here.config, VITRINE_SERVER: here.url })

/** The first request of this kind that the server of this process gets from now on. */
function requested(method: string, address: RegExp): Promise<ServerResponse> {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>()
  const channel = 'http.server.request.start'
  const look = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (request.method !== method || !address.test(request.url ?? '')) return
    unsubscribe(channel, look)
    resolve(response)
  }
  subscribe(channel, look)
  return promise
}

test('help goes to stdout with exit code 0, an unknown command to stderr with 2', async () => {
  const help = await spawn(['--help']).ended
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain('Usage: vitrine <command>')
  const wrong = await spawn(['frob']).ended
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toContain('There is no command frob.')
})

test('another program gives it rows', async () => {
  const { child, ended } = spawn(['import', 'towns', '-', '--format', 'csv'])
  child.stdin.end('text\nLevin\n')
  expect(await ended).toEqual({ code: 0, stdout: 'Added 1 item to towns.\n', stderr: '' })
})

test('a reader that has read enough is no error', async () => {
  const { child, ended } = spawn(['export', 'notes'])
  const cutOff = expect(ended).rejects.toThrow('Premature close')
  await once(child.stdout, 'readable')
  child.stdout.destroy()
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code).toBe(0)
  await cutOff
})

test('an export that is interrupted leaves nothing', async () => {
  const output = file('nothing.csv')
  execFileSync('mkfifo', [`${output}.part`])
  const { child, ended } = spawn(['export', 'notes', '-o', output])
  const reader = await open(`${output}.part`)
  // From here on it waits for more to be read.
  expect((await reader.read()).bytesRead).toBeGreaterThan(0)
  child.kill('SIGINT')
  for await (const _ of reader.createReadStream());
  expect(await ended).toMatchObject({ code: 130, stderr: 'Interrupted. Nothing was written.\n' })
  expect(globSync(`${output}*`)).toEqual([])
})

test('an import that is interrupted goes on when it is asked for again', async () => {
  const rows = Array.from({ length: 50_000 }, (_, row) => `village ${row},\n`)
  // Empty lines at the end are no rows beside two columns, but parts to send.
  const words = [
    'import',
    'villages',
    here.write('villages.csv', `text,none\n${rows.join('')}${'\n'.repeat(30_000_000)}`),
    '--columns',
    '{"none":null}',
  ]
  const second = requested('POST', /\/import\/.*\boffset=[1-9]/)
  const { child, ended } = spawn(words)
  await second
  child.kill('SIGINT')
  const { code, stderr } = await ended
  expect(stderr).toContain('Give the same command again to go on from here.')
  expect(code).toBe(130)
  const [state] = await here.json<ImportState>(words)
  expect(state).toMatchObject({ state: 'done', rows: 50_000 })
})

test('a large file is added, and one that is interrupted leaves nothing', async () => {
  const schema = '  - { name: film, type: binary, mime: video/mp4 }\n'
  await here.run(['create', '-f', here.write('films.yaml', `name: films\nschema:\n${schema}`)])
  const bytes = Buffer.alloc(200 * 1024 * 1024, 'film')
  const words = ['add', 'films', `film=@${here.write('film.mp4', bytes)}`]
  const added = await spawn(words).ended
  expect(added).toMatchObject({ code: 0, stdout: 'Added item 1 to films.\n' })
  const [item] = await here.json<SealedItem>(['show', 'films', '1'])
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(item?.integrity?.['film']).toMatchObject({ sha256, size: bytes.length })

  const upload = requested('POST', /\/films\/item\/\d/)
  const { child, ended } = spawn(words)
  await upload
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 130, stderr: 'Interrupted. Nothing was added.\n' })
  expect(await here.json(['ls', 'films'])).toHaveLength(1)
})

test('commands that come together renew a sign-in once', async () => {
  const kept = readFileSync(here.credentialsFile, 'utf8')
  const aged = kept.replace(/"expiresAt": \d+/, '"expiresAt": 0')
  expect(aged).not.toBe(kept)
  writeFileSync(here.credentialsFile, aged)
  const all = await Promise.all(Array.from({ length: 5 }, () => spawn(['ls', '--repos']).ended))
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
  expect((await here.run(['ls'])).code).toBe(0)
})
