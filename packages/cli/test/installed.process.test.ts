// @module-tag whole

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { readConfig } from '@vitrine/server'
import { issueLocalToken } from '@vitrine/server/local-token'
import { openStore } from '@vitrine/server/store'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { stageVitrine } from '../../../tools/packages/stage-vitrine.ts'
import { installPacked } from './install-packed.ts'

/** Enough for the threads that write an export. */
const rowCount = 5_000

let installed: string

beforeAll(async () => {
  installed = await installPacked(stageVitrine)
})
afterAll(() => rmSync(installed, { recursive: true, force: true }))

test('`npx vitrine` in an empty folder serves the whole product', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-empty-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { PATH = '', HOME } = process.env
  const env = { PATH: `${join(installed, 'node_modules/.bin')}:${PATH}`, HOME, VITRINE_PORT: '0' }
  const vitrine = (words: string[], more: Record<string, string> = {}) =>
    spawn('vitrine', words, { cwd: folder, env: { ...env, ...more } })

  const server = vitrine([])
  onTestFinished(() => void server.kill('SIGKILL'))
  const ended = once(server, 'exit')
  const { url, password } = await firstLines(server)
  expect(password).toMatch(/^\S{10,}$/)

  const page = await (await fetch(url)).text()
  const [, script = ''] = /src="(\/static\/js\/[^"]+)"/.exec(page) ?? []
  expect((await fetch(new URL(script, url))).status).toBe(200)
  for (const path of ['/config.json', '/readyz', '/api/openapi.json', '/api/docs/']) {
    expect([path, (await fetch(new URL(path, url))).status]).toEqual([path, 200])
  }
  // What is optional is there, too.
  expect(await (await fetch(new URL('/config.json', url))).json()).toMatchObject({
    features: expect.arrayContaining(['small-pictures']) as string[],
  })
  const assets = '/realms/local/assets'
  expect((await fetch(new URL(`${assets}/provider.css`, url))).status).toBe(200)
  expect((await fetch(new URL(`${assets}/instrument-sans.woff2`, url))).status).toBe(200)

  const own = { VITRINE_SERVER: url, VITRINE_TOKEN: await tokenOf(join(folder, 'data'), url) }
  const outcome = async (words: string[]) => {
    const child = vitrine(words, own)
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    return { code: code as number, stdout, stderr }
  }
  const schema = '  - { name: name, type: string }\n'
  writeFileSync(join(folder, 'towns.yaml'), `name: towns\nschema:\n${schema}`)
  const rows = Array.from({ length: rowCount }, (_, row) => `town ${row}\n`)
  writeFileSync(join(folder, 'towns.csv'), `name\n${rows.join('')}`)
  expect(await outcome(['create', '-f', 'towns.yaml'])).toMatchObject({ code: 0, stderr: '' })
  expect(await outcome(['import', 'towns', 'towns.csv'])).toMatchObject({
    code: 0,
    stdout: 'Added 5,000 items to towns.\n',
  })
  const files = ['towns.parquet', 'towns.ndjson']
  for (const file of files) {
    expect(await outcome(['export', 'towns', '-o', file])).toMatchObject({ code: 0 })
  }
  expect(readFileSync(join(folder, 'towns.ndjson'), 'utf8').split('\n')).toHaveLength(rowCount + 1)

  server.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

/** Reads the first lines of a first start. */
async function firstLines({ stdout, stderr }: ChildProcess) {
  const said = text(stderr!)
  let url: string | undefined
  for await (const line of createInterface(stdout!)) {
    url ??= /Vitrine is at (http[^" ]+)/.exec(line)?.[1]
    const password = /with the password (\S+) /.exec(line)?.[1]
    if (url !== undefined && password !== undefined) {
      stdout!.resume()
      return { url, password }
    }
  }
  throw new Error(`the server ended before it was ready: ${await said}`)
}

async function tokenOf(dataDir: string, url: string): Promise<string> {
  const store = await openStore(readConfig({ VITRINE_DATA_DIR: dataDir }))
  try {
    return await issueLocalToken(store, {
      username: 'admin',
      issuer: `${url}/realms/local`,
      audience: `${url}/api`,
      clientId: 'vitrine',
      scope: 'openid profile',
      seconds: 3600,
    })
  } finally {
    await store.close()
  }
}
