import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../../tools/free-port.mjs'
import { ensurePythonEnvironment } from '../../tools/python-environment.ts'
import { untilAnswers } from '../../tools/until-answers.mjs'

const requirements = join(import.meta.dirname, 'requirements.txt')

/** Version of a package that the Python environment of the bench has. */
export function pythonVersion(name: 'datasette' | 'duckdb'): string {
  return new RegExp(`^${name}==(\\S+)`, 'm').exec(readFileSync(requirements, 'utf8'))![1]!
}

/** The Python with Datasette and DuckDB; the first time they are installed. */
export const ensurePeersPython = (): string => ensurePythonEnvironment(requirements)

/** Starts Datasette, https://datasette.io, on a database of SQLite; returns its address. */
export async function startDatasette(opened: AsyncDisposableStack, file: string): Promise<string> {
  const port = await freePort()
  const program = join(dirname(ensurePeersPython()), 'datasette')
  // As it comes, it ends what takes longer than a second.
  const settings = ['--setting', 'sql_time_limit_ms', '60000']
  const words = ['serve', file, '--host', '127.0.0.1', '--port', String(port), ...settings]
  const child = spawn(program, words, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  opened.defer(async () => {
    child.kill()
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(`${url}/-/versions.json`, child)
  return url
}
