import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildServer } from '../../../tools/build.mjs'

// The server as `npm run build` writes it (`rolldown.config.ts`). The journeys in the browser run on it.

const dist = join(import.meta.dirname, '../dist')

const read = (file: string) => readFileSync(join(dist, file), 'utf8')

/** Files that are loaded with one, by static imports. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  seen.add(file)
  for (const [, name = ''] of read(file).matchAll(/^(?:import|export) .*?"\.\/([^"]+)";$/gm)) {
    if (!seen.has(name)) loadedWith(name, seen)
  }
  return seen
}

/** Names of files that modules open by their URLs. */
function openedBy(files: Iterable<string>): string[] {
  return [...files].flatMap((file) =>
    [...read(file).matchAll(/new URL\((?:new URL\()?"([^"]+)", import\.meta\.url\)/g)].map(
      ([, name = '']) => name,
    ),
  )
}

beforeAll(buildServer)

test('everything that is opened by its URL is beside it', () => {
  const opened = openedBy(loadedWith('main.js'))
  for (const name of ['read-worker', 'rows-worker', 'check-worker', 'sort-worker', 'provider']) {
    expect(opened.find((file) => file.includes(`${name}-`))).toBeDefined()
  }
  expect(opened.filter((file) => !existsSync(join(dist, file)))).toEqual([])
})

test('no module looks for files where it was before', () => {
  for (const file of readdirSync(dist).filter((name) => name.endsWith('.js'))) {
    expect([file, /\b__(?:dirname|filename)\b/.exec(read(file))?.[0]]).toEqual([file, undefined])
  }
})

test('threads load little', () => {
  const threads = openedBy(loadedWith('main.js')).filter((file) => file.includes('-worker-'))
  expect(threads.length).toBeGreaterThan(5)
  for (const thread of threads) {
    const loaded = [...loadedWith(thread)]
    expect(loaded.some((file) => /node_modules\/(?:kysely|zod)\//.test(read(file)))).toBe(false)
  }
})

test('a start loads no library that is needed later', () => {
  const loaded = [...loadedWith('main.js')].map(read)
  const holds = (library: string) =>
    loaded.some((code) => code.includes(`/node_modules/${library}/`))
  expect(holds('fastify')).toBe(true)
  const later = ['oidc-provider', '@aws-sdk/client-s3', 'pg', '@zxcvbn-ts/language-common']
  expect(later.filter(holds)).toEqual([])
})

test.skipIf(process.platform !== 'linux')(
  'it answers, and has no library of pictures in its memory',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-built-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const server = spawn(process.execPath, [join(dist, 'main.js')], {
      env: { VITRINE_PORT: '0', VITRINE_DATA_DIR: dataDir, VITRINE_LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(server, 'exit')
    onTestFinished(async () => {
      server.kill()
      await exited
    })
    const url = await new Promise<string>((resolve, reject) => {
      createInterface(server.stdout).on('line', (line) => {
        const [, port] = /is at http:\/\/localhost:(\d+)/.exec(line) ?? []
        if (port !== undefined) resolve(`http://localhost:${port}`)
      })
      void exited.then(() => reject(new Error('the server ended before it was ready')))
    })
    const config = (await (await fetch(`${url}/config.json`)).json()) as { features: string[] }
    expect(config.features).toContain('small-pictures')
    expect(readFileSync(`/proc/${server.pid}/maps`, 'utf8')).not.toContain('libvips')
    for (const path of ['/api/docs/', '/api/openapi.json', '/realms/local/assets/provider.css']) {
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200])
    }
  },
)
