import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@vitrine/client'
import { readConfig, startServer } from '@vitrine/server'
import { admin } from '../../server/test/admin.ts'
import { oneFolder } from '../../server/test/engines.ts'
import { patient } from '../../server/test/patient.ts'
import { Visitor } from '../../server/test/sign-in.ts'
import { createTestDatabase, type TestDatabase } from '../../server/test/test-database.ts'
import type { Outcome } from './spawn-vitrine.ts'
import { type Running, type RunOptions, startVitrine } from './vitrine.ts'

/** Somebody's computer with the command line on it. */
export type Computer = {
  url: string
  /** The person's browser. */
  visitor: Visitor
  /** A folder for files, and what is in it. */
  folder: string
  write: (name: string, content: string | Buffer) => string
  /** Folder of the command line's settings. */
  config: string
  credentialsFile: string
  start: (words: string[], options?: RunOptions) => Running
  run: (words: string[], options?: RunOptions) => Promise<Outcome>
  /** Signed in as the command line is. */
  client: () => Client
  /** Runs what must succeed and print JSON, one value a line. */
  json: <T>(words: string[], options?: RunOptions) => Promise<T[]>
  /** `vitrine login`, and somebody who goes through with it. */
  login: () => Promise<Outcome>
}

/** A server with its own provider, and somebody's computer. */
export type Installation = Computer & {
  database: TestDatabase
  /** One on which nobody has signed in yet. */
  openComputer: () => Computer
  close: () => Promise<void>
}

export async function openInstallation(env: Record<string, string> = {}): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const dataDir = join(folder, 'data')
  const database = await createTestDatabase(dataDir, oneFolder, 'account')
  const server = await startServer(
    readConfig({
      VITRINE_DATA_DIR: dataDir,
      VITRINE_PORT: '0',
      VITRINE_LOG_LEVEL: 'error',
      ...env,
    }),
    patient,
  )
  const { url } = server
  let computers = 0
  const openComputer = (): Computer => {
    computers += 1
    const config = join(folder, `config-${computers}`)
    const credentialsFile = join(config, 'vitrine', 'credentials.json')
    const visitor = new Visitor(url)
    const start = (words: string[], { env: own, ...options }: RunOptions = {}) =>
      startVitrine(words, {
        ...options,
        env: { XDG_CONFIG_HOME: config, VITRINE_SERVER: url, ...own },
      })
    const run = (words: string[], options?: RunOptions) => start(words, options).ended
    return {
      url,
      visitor,
      folder,
      config,
      credentialsFile,
      write: (name, content) => {
        const file = join(folder, name)
        writeFileSync(file, content)
        return file
      },
      start,
      run,
      client: () => {
        const kept = JSON.parse(readFileSync(credentialsFile, 'utf8')) as {
          servers: Record<string, { accessToken: string }>
        }
        return createClient({ baseUrl: url, token: () => kept.servers[url]?.accessToken })
      },
      json: async <T>(words: string[], options?: RunOptions) => {
        const { code, stdout, stderr } = await run([...words, '--json'], options)
        if (code !== 0) throw new Error(`vitrine ${words.join(' ')} ended with ${code}: ${stderr}`)
        const lines = stdout.split('\n').filter(Boolean)
        return lines.map((line) => JSON.parse(line) as T)
      },
      login: async () => {
        const { child, ended } = start(['login', '--no-browser'])
        await goThrough(visitor, await addressIn(child.stderr))
        return ended
      },
    }
  }
  return {
    ...openComputer(),
    database,
    openComputer,
    close: async () => {
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Starts a server that announces no features. */
export async function startBareServer(
  features: readonly string[] = [],
): Promise<AsyncDisposable & { url: string }> {
  const config = {
    apiBaseUrl: 'http://localhost',
    authority: 'http://localhost',
    clientId: 'web',
    scope: 'openid',
    maxUploadBytes: 1,
    features,
  }
  const server = createServer((_request, response) => response.end(JSON.stringify(config)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

/** The address that a login tells somebody to open. */
export async function addressIn(stderr: NodeJS.ReadableStream): Promise<string> {
  return (await printed(stderr, /\bhttp:\S+\/auth\?\S+(?=\s)/))[0]
}

/** Waits until a command has printed a match. */
export function printed(output: NodeJS.ReadableStream, wanted: RegExp): Promise<RegExpExecArray> {
  const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
  let text = ''
  output.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    const found = wanted.exec(text)
    if (found !== null) resolve(found)
  })
  output.on('end', () => reject(new Error(`this was printed: ${text}`)))
  return promise
}

const locationOf = (response: Response) =>
  new URL(response.headers.get('location') ?? '', response.url).href

/** Signs in at the page that a reply leads to; what that leads to in the end. */
export async function signInAt({ jar }: Visitor, leading: Response): Promise<Response> {
  const page = locationOf(leading)
  const submitted = await jar.fetch(page, { method: 'POST', body: new URLSearchParams(admin) })
  return jar.fetch(locationOf(submitted))
}

/** Signs in as a browser does, to the page that the command line serves at the end. */
export async function goThrough(visitor: Visitor, address: string): Promise<Response> {
  const resumed = await signInAt(visitor, await visitor.jar.fetch(address))
  return fetch(locationOf(resumed))
}
