import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSignedInServer } from '../bench/signed-in-server.ts'
import { pythonTools, snippetFor } from '../packages/web/src/export/snippets.ts'
import { hasPostgres, startPostgres } from './postgres-server.mjs'

// Runs check-summaries.py, check-typed-interchange.py, and check-interchange.py, which says what they need, on a
// server of its own with the demo. `PYTHON` names the Python to run them with. Where there is no PostgreSQL, what its
// COPY writes is left out.

const { PYTHON: python = 'python3' } = process.env
/** A repository with references and absent values, one with files, and a view. */
const datasets = ['countries', 'cities', 'emoji', 'country-facts']
const cityCount = '3000'

async function run(command: string, args: string[], stdin = ''): Promise<void> {
  const child = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] })
  child.stdin.end(stdin)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}

await using started = await startSignedInServer({})
await using opened = new AsyncDisposableStack()
const { server, token } = started
const main = join(import.meta.dirname, '../packages/cli/src/main.ts')
const to = ['--server', server.url, '--token', token]
await run(process.execPath, [main, 'demo', '--cities', cityCount, ...to])

const options: string[] = []
if (hasPostgres()) {
  const { env, stop } = await startPostgres()
  opened.defer(stop)
  options.push('--postgres', env.VITRINE_TEST_DATABASE_URL)
}
const summaries = join(import.meta.dirname, 'check-summaries.py')
await run(python, [summaries, server.url, ...datasets], token)
await run(python, [join(import.meta.dirname, 'check-typed-interchange.py'), server.url], token)
const folder = mkdtempSync(join(tmpdir(), 'vitrine-interchange-'))
opened.defer(() => rmSync(folder, { recursive: true }))
const script = join(import.meta.dirname, 'check-interchange.py')
for (const datasetId of datasets) {
  console.log(`\n${datasetId}`)
  const programs = join(folder, `${datasetId}.json`)
  const where = { apiUrl: server.url, datasetId, exploration: {} }
  const made = pythonTools.map((tool) => [tool, snippetFor(tool, where)] as const)
  writeFileSync(programs, JSON.stringify(Object.fromEntries(made)))
  await run(python, [script, server.url, datasetId, '--programs', programs, ...options], token)
}
