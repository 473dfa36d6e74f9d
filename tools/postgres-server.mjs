import { spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from './free-port.mjs'
import { installPackage } from './install-package.mjs'

/** PostgreSQL refuses to run as root; Debian's package makes this account. */
const account = 'postgres'
const isRoot = process.getuid?.() === 0

export function hasPostgres() {
  return programs() !== undefined
}

/** Installs Debian's package where there is no PostgreSQL; returns whether there is one then. */
export function installPostgres() {
  if (hasPostgres()) return true
  if (process.platform !== 'linux' || !isRoot) return false
  console.log("No PostgreSQL here; installing Debian's package …")
  installPackage('postgresql')
  return hasPostgres()
}

/**
 * Starts a PostgreSQL of its own, in a temporary folder and on a free port of the loopback address. For
 * tests, which only kill processes of their own, what is in it may be lost with the machine.
 * @returns what tests are told of it, and how to end it
 */
export async function startPostgres({ isDurable = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-postgres-'))
  if (isRoot) spawnSync('chown', [account, folder])
  const data = join(folder, 'data')
  run('initdb', ['-D', data, '-A', 'trust', '-U', account, '-E', 'UTF8', '--locale=C', '-N'])
  // Last, as others may take it until it is listened on.
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 300,
    ...(!isDurable && { fsync: 'off', full_page_writes: 'off' }),
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command, ...args] = asAccount('postgres', ['-D', data, ...options])
  const server = spawn(command, args, { stdio: 'ignore', cwd: folder })
  const exited = once(server, 'exit')
  await untilReady(server, { port, folder })
  return {
    env: { VITRINE_TEST_DATABASE_URL: `postgres://${account}@127.0.0.1:${port}/postgres` },
    stop: async () => {
      // Fast shutdown: it ends the sessions that are left.
      server.kill('SIGINT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The folder of the newest programs; Debian keeps those of the server off the PATH. */
function programs() {
  const found = globSync('/usr/lib/postgresql/*/bin/initdb').toSorted((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  const [onPath] = (process.env.PATH ?? '')
    .split(':')
    .flatMap((folder) => globSync(join(folder, 'initdb')))
  const newest = found.at(-1) ?? onPath
  return newest === undefined ? undefined : dirname(newest)
}

function asAccount(program, args) {
  const command = [join(programs(), program), ...args]
  if (!isRoot) return command
  return ['setpriv', `--reuid=${account}`, `--regid=${account}`, '--clear-groups', ...command]
}

function run(program, args) {
  const [command, ...rest] = asAccount(program, args)
  const { status, stderr } = spawnSync(command, rest, { cwd: tmpdir(), encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
}

/** Asked by its socket, which nobody else's has. */
async function untilReady(server, { port, folder }) {
  for (let attempt = 0; attempt < 1800; attempt += 1) {
    if (server.exitCode !== null) throw new Error('PostgreSQL ended before it was ready')
    const [command, ...args] = asAccount('pg_isready', ['-q', '-h', folder, '-p', `${port}`])
    if (spawnSync(command, args, { cwd: folder }).status === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('PostgreSQL did not start')
}
