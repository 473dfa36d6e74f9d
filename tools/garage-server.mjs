import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.mjs'
import { root } from './root.mjs'
import { untilAnswers } from './until-answers.mjs'

/** https://garagehq.deuxfleurs.fr: a second S3 server, which ignores conditions on writes. */
const version = '2.5.0'
const folder = join(root, '.cache', 'garage', version)
const installed = join(folder, 'bin', 'garage')

/** How to get it: an hour on two cores. */
const howToInstall =
  `cargo install garage --version ${version} --locked --no-default-features ` +
  `--features bundled-libs,lmdb --root .cache/garage/${version}`

/** The program, in `.cache` or on PATH. */
function findGarage() {
  if (existsSync(installed)) return installed
  return spawnSync('garage', ['--version']).status === 0 ? 'garage' : undefined
}

/**
 * Starts Garage as one node with an empty bucket.
 * @returns the variables that tests find it by, and how to stop it
 * @throws Error where it is not installed, saying how to get it
 */
export async function startGarage() {
  const binary = findGarage()
  if (binary === undefined) {
    throw new Error(`There is no Garage in .cache or on PATH. To build it: ${howToInstall}`)
  }
  const data = mkdtempSync(join(tmpdir(), 'vitrine-garage-'))
  const s3Port = await freePort()
  const rpcPort = await freePort()
  const config = join(data, 'garage.toml')
  writeFileSync(
    config,
    `metadata_dir = "${join(data, 'metadata')}"
data_dir = "${join(data, 'data')}"
db_engine = "lmdb"
replication_factor = 1
rpc_bind_addr = "127.0.0.1:${rpcPort}"
rpc_public_addr = "127.0.0.1:${rpcPort}"
rpc_secret = "${randomBytes(32).toString('hex')}"

[s3_api]
api_bind_addr = "127.0.0.1:${s3Port}"
s3_region = "us-east-1"
`,
  )
  const accessKey = `GK${randomBytes(12).toString('hex')}`
  const secretKey = randomBytes(32).toString('hex')
  const child = spawn(binary, ['-c', config, 'server', '--single-node', '--default-bucket'], {
    env: {
      ...process.env,
      GARAGE_DEFAULT_ACCESS_KEY: accessKey,
      GARAGE_DEFAULT_SECRET_KEY: secretKey,
      GARAGE_DEFAULT_BUCKET: 'vitrine',
    },
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  const endpoint = `http://127.0.0.1:${s3Port}`
  await untilAnswers(endpoint, child)
  return {
    env: {
      VITRINE_TEST_BLOB_URL: `s3://vitrine?endpoint=${endpoint}`,
      VITRINE_TEST_S3_CONDITIONS: 'ignored',
      AWS_ACCESS_KEY_ID: accessKey,
      AWS_SECRET_ACCESS_KEY: secretKey,
    },
    stop: async () => {
      child.kill()
      await exited
      rmSync(data, { recursive: true })
    },
  }
}
