import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freePort } from '../../tools/free-port.mjs'
import { ensurePythonEnvironment } from '../../tools/python-environment.ts'
import { untilAnswers } from '../../tools/until-answers.mjs'
import { selectPeople } from '../people.ts'
import { pageSize, type PeopleProgram } from './people-program.ts'

const requirements = join(import.meta.dirname, 'requirements.txt')

/** Version of a package that the Python environment of the bench has. */
export function pythonVersion(name: 'datasette' | 'duckdb'): string {
  return new RegExp(`^${name}==(\\S+)`, 'm').exec(readFileSync(requirements, 'utf8'))![1]!
}

/** The Python with Datasette and DuckDB; the first time they are installed. */
export const ensurePeersPython = (): string => ensurePythonEnvironment(requirements)

/** Starts Datasette, https://datasette.io, on a database of SQLite; returns its address. */
async function startDatasette(opened: AsyncDisposableStack, file: string): Promise<string> {
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

/** Starts a Datasette with so many people. */
export async function datasettePeople(
  opened: AsyncDisposableStack,
  size: number,
): Promise<PeopleProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-datasette-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'people.db')
  {
    using database = new DatabaseSync(file)
    database.exec('create table people (id integer primary key, name text not null)')
    database.exec(`insert into people (id, name) ${selectPeople('n + 1', size)}`)
  }
  const people = `${await startDatasette(opened, file)}/people/people.json`
  // Rows as objects, and nothing that takes it longer: neither their number nor facets.
  const plain = `${people}?_shape=array&_size=${pageSize}&_nocount=1&_nofacet=1`
  return {
    name: 'Datasette',
    search: (text, { isSorted }) => {
      const filter = `&name__contains=${encodeURIComponent(text)}`
      return getJson(`${plain}${filter}${isSorted ? '&_sort=name' : ''}`)
    },
    page: (number) => getJson(`${plain}&_next=${number * pageSize}`),
    count: () => getJson(`${people}?_size=0`),
  }
}

async function getJson(url: string): Promise<unknown> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}
