import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.mjs'
import { root } from './root.mjs'

/** Keycloak's own distribution, from Maven Central; it needs Java 17 or newer. */
const version = '26.7.3'
const sha256 = '77657f30b7e90d70f727712ce1c967f430fd6a5e9f458d32d8c6df0635345f47'
const address = `https://repo1.maven.org/maven2/org/keycloak/keycloak-quarkus-dist/${version}/keycloak-quarkus-dist-${version}.tar.gz`

const cache = join(root, '.cache', 'keycloak')
const home = join(cache, `keycloak-${version}`)
const admin = { username: 'admin', password: 'only-for-these-tests' }

/** Downloads and unpacks Keycloak, once. */
export async function installKeycloak() {
  if (existsSync(home)) return
  console.log(`Fetching Keycloak ${version} …`)
  mkdirSync(cache, { recursive: true })
  const archive = join(cache, 'download.tar.gz')
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  const hash = createHash('sha256')
  const hashed = async function* (source) {
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(Readable.fromWeb(response.body), hashed, createWriteStream(archive))
  if (hash.digest('hex') !== sha256) throw new Error(`${address} is not what it was`)
  const { status } = spawnSync('tar', ['-xzf', archive, '-C', cache], { stdio: 'inherit' })
  if (status !== 0) throw new Error('Keycloak could not be unpacked')
  rmSync(archive)
}

/**
 * Starts Keycloak on loopback with the realm of docs/keycloak, and nothing kept on disk.
 * @returns the variables that the tests find it by, and how to stop it
 */
export async function startKeycloak({ publicUrl }) {
  const imports = join(home, 'data', 'import')
  mkdirSync(imports, { recursive: true })
  copyFileSync(join(root, 'docs', 'keycloak', 'vitrine-realm.json'), join(imports, 'realm.json'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const options = [`--http-host=127.0.0.1`, `--http-port=${port}`, '--db=dev-mem', '--import-realm']
  let log = ''
  const child = spawn(join(home, 'bin', 'kc.sh'), ['start-dev', ...options], {
    env: {
      ...process.env,
      JAVA_OPTS_APPEND: '-Xmx768m',
      KC_BOOTSTRAP_ADMIN_USERNAME: admin.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
      VITRINE_PUBLIC_URL: publicUrl,
    },
    // A group of its own: the script starts Java as its child.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => (log += text))
  }
  const exited = once(child, 'exit')
  await untilAnswers(`${url}/realms/vitrine`, { child, log: () => log })
  return {
    env: {
      KEYCLOAK_URL: url,
      KEYCLOAK_BIN: join(home, 'bin'),
      KEYCLOAK_ADMIN: admin.username,
      KEYCLOAK_ADMIN_PASSWORD: admin.password,
    },
    stop: async () => {
      endGroup(child)
      await exited
    },
  }
}

async function untilAnswers(address, { child, log }) {
  for (const deadline = Date.now() + 300_000; Date.now() < deadline;) {
    if (child.exitCode !== null) throw new Error(`Keycloak ended:\n${log()}`)
    const isThere = await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return
    await sleep(500)
  }
  endGroup(child)
  throw new Error(`Keycloak does not answer:\n${log()}`)
}

function endGroup({ pid }) {
  process.kill(Number(`-${pid}`), 'SIGKILL')
}
