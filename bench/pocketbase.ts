import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../tools/free-port.mjs'
import { root } from '../tools/root.mjs'
import { untilAnswers } from '../tools/until-answers.mjs'

/** https://pocketbase.io, its program as it comes: the newest that Go 1.26 builds. */
const version = 'v0.36.8'
const installed = join(root, '.cache', 'pocketbase', version)
const program = join(installed, 'base')
const person = { email: 'bench@example.org', password: 'a password of the bench' }

export type PocketBase = {
  version: string
  /** Its database, which nobody else may write to while it runs. */
  databaseFile: string
  start: () => Promise<RunningPocketBase>
}

export type RunningPocketBase = AsyncDisposable & {
  /** Calls its API as a superuser; the JSON of its answer. */
  call: (path: string, body?: object) => Promise<unknown>
}

/** Makes an empty PocketBase in a folder of its own; the first time its program is built from the Go module proxy. */
export function newPocketBase(opened: AsyncDisposableStack): PocketBase {
  if (!existsSync(program)) {
    console.log(`Building PocketBase ${version}, which takes minutes …`)
    run('go', ['install', `github.com/pocketbase/pocketbase/examples/base@${version}`], {
      GOBIN: installed,
      GOFLAGS: '-modcacherw',
      CGO_ENABLED: '0',
    })
  }
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-pocketbase-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  // It writes migrations beside the folder of its data.
  const data = join(folder, 'data')
  run(program, ['superuser', 'upsert', person.email, person.password, '--dir', data])
  return {
    version,
    databaseFile: join(data, 'data.db'),
    start: () => start(data),
  }
}

async function start(data: string): Promise<RunningPocketBase> {
  const port = await freePort()
  const child = spawn(program, ['serve', '--http', `127.0.0.1:${port}`, '--dir', data], {
    stdio: 'ignore',
  })
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
    call: (path, body) => call(path, body, token),
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await exited
    },
  }
}

function run(command: string, args: string[], env: Record<string, string> = {}): void {
  const { status, stderr } = spawnSync(command, args, { env: { ...process.env, ...env } })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${String(stderr)}`)
}
