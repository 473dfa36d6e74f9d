import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freePort } from '../../tools/free-port.mjs'
import { run } from '../../tools/python-environment.ts'
import { root } from '../../tools/root.mjs'
import { untilAnswers } from '../../tools/until-answers.mjs'
import { selectPeople } from '../people.ts'
import { pageSize, type PeopleProgram } from './people-program.ts'

const source = join(import.meta.dirname, 'pocketbase')
const program = join(root, '.cache', 'pocketbase')
const person = { email: 'bench@example.org', password: 'a password of the bench' }

/** https://pocketbase.io, of the version that the bench is built with. */
export const pocketBaseVersion = /pocketbase\/pocketbase v(\S+)/.exec(
  readFileSync(join(source, 'go.mod'), 'utf8'),
)![1]!

export type PocketBase = {
  /** The folder of its data; nobody else may write to `data.db` there while it runs. */
  folder: string
  databaseFile: string
  start: () => Promise<RunningPocketBase>
}

export type RunningPocketBase = AsyncDisposable & {
  port: number
  /** Token of a superuser, the value of the header `Authorization`. */
  token: string
  /** Calls its API as a superuser; the JSON of its answer. */
  call: (path: string, body?: object) => Promise<unknown>
}

/**
 * Makes an empty PocketBase in a folder of its own, which is built from the Go module proxy, the first time for minutes.
 * As it comes, it has SQLite's `synchronous` at NORMAL: what it acknowledged can be lost in a power cut.
 */
export function newPocketBase(
  opened: AsyncDisposableStack,
  { synchronous }: { synchronous?: 'FULL' } = {},
): PocketBase {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-pocketbase-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  // Where Go's own archive puts it, which not every PATH names: https://go.dev/doc/install
  const path = [process.env['PATH'] ?? '', '/usr/local/go/bin'].join(delimiter)
  run('go', ['build', '-mod=readonly', '-modcacherw', '-o', program, '.'], {
    cwd: source,
    env: { ...process.env, PATH: path, CGO_ENABLED: '0' },
  })
  // It writes migrations beside the folder of its data.
  const data = join(folder, 'data')
  const env = { ...process.env, ...(synchronous !== undefined && { PB_SYNCHRONOUS: synchronous }) }
  const words = ['superuser', 'upsert', person.email, person.password, '--dir', data]
  run(program, words, { env, stdio: 'ignore' })
  return { folder: data, databaseFile: join(data, 'data.db'), start: () => start(data, env) }
}

async function start(data: string, env: NodeJS.ProcessEnv): Promise<RunningPocketBase> {
  const port = await freePort()
  const words = ['serve', '--http', `127.0.0.1:${port}`, '--dir', data]
  const child = spawn(program, words, { env, stdio: 'ignore' })
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}/api`
  await untilAnswers(`${url}/health`, child)
  const call = async (path: string, body?: object, token?: string) => {
    const response = await fetch(`${url}/${path}`, {
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: token }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const { email: identity, password } = person
  const signIn = 'collections/_superusers/auth-with-password'
  const { token } = (await call(signIn, { identity, password })) as { token: string }
  return {
    port,
    token,
    call: (path, body) => call(path, body, token),
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await exited
    },
  }
}

/** Starts a PocketBase with so many people, put into its database as ours are. */
export async function pocketBasePeople(
  opened: AsyncDisposableStack,
  size: number,
): Promise<PeopleProgram> {
  const { databaseFile, start } = newPocketBase(opened)
  {
    await using empty = await start()
    const fields = [{ name: 'name', type: 'text', required: true, max: 40 }]
    await empty.call('collections', { name: 'people', type: 'base', fields })
  }
  {
    using database = new DatabaseSync(databaseFile)
    database.exec(`insert into people (id, name) ${selectPeople(`printf('p%014d', n)`, size)}`)
  }
  const { call } = opened.use(await start())
  const records = `collections/people/records?perPage=${pageSize}&skipTotal=1`
  return {
    name: 'PocketBase',
    search: (text, { isSorted }) => {
      const filter = encodeURIComponent(`name~"${text}"`)
      return call(`${records}&filter=${filter}${isSorted ? '&sort=name' : ''}`)
    },
    page: (number) => call(`${records}&page=${number + 1}`),
    count: () => call('collections/people/records?perPage=1'),
  }
}
