// @module-tag whole

import { execFile, execFileSync } from 'node:child_process'
import { existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { stageClient } from '../../../tools/packages/stage-client.ts'
import { installPacked } from '../../cli/test/install-packed.ts'
import { expectReadmeOutput, readmeProgram } from './readme-program.ts'
import { startOwnServer } from './server.ts'

const run = promisify(execFile)
const { resolve } = createRequire(import.meta.url)
const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc')

let folder: string

beforeAll(async () => {
  folder = await installPacked(stageClient, ['@types/node'])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a strict program compiles with it as it is installed, and runs on Node 20', async () => {
  const server = await startOwnServer()
  onTestFinished(server.close)
  writeFileSync(join(folder, 'program.ts'), readmeProgram(server.url))
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        skipLibCheck: false,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable'],
        module: 'nodenext',
        types: ['node'],
      },
      files: ['program.ts'],
    }),
  )
  await run(process.execPath, [compiler, '-p', folder])
  const { stdout, stderr } = await run(olderNode(), ['program.js'], {
    cwd: folder,
    env: { VITRINE_TOKEN: server.token },
  })
  expect(stderr).toBe('')
  expectReadmeOutput(stdout)
})

test('a bundler for browsers takes it without Node', async () => {
  writeFileSync(
    join(folder, 'page.js'),
    "import * as client from '@vitrine/client'\nimport * as yaml from '@vitrine/client/yaml'\nconsole.log(client, yaml)\n",
  )
  const bundle = await rolldown({
    input: join(folder, 'page.js'),
    platform: 'browser',
    onLog: (_level, log) => {
      throw new Error(log.message)
    },
  })
  const { output } = await bundle.generate()
  await bundle.close()
  expect(output.flatMap((file) => (file.type === 'chunk' ? file.imports : []))).toEqual([])
})

/** A Node 20, 22 or 23 of this machine; where there is none, the one that runs this. */
function olderNode(): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  const nodes = folders.map((folder) => join(folder, 'node')).filter((node) => existsSync(node))
  for (const node of new Set(nodes.map((path) => realpathSync(path)))) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' })
    if (/^v2[0-3]\./.test(version)) return node
  }
  console.warn(`There is no Node 20 here: @vitrine/client was run on ${process.version} instead.`)
  return process.execPath
}
