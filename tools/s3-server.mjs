import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from './free-port.mjs'
import { untilAnswers } from './until-answers.mjs'

/** https://github.com/versity/versitygw: S3 over a folder, and one Go program. */
const version = 'v1.8.0'
// Beyond the clone: building it takes two minutes of the processor.
const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
const folder = join(caches, 'vitrine', 'versitygw', version)
const binary = join(folder, process.platform === 'win32' ? 'versitygw.exe' : 'versitygw')

/** Whether an S3 server is on the machine. */
export function hasS3Server() {
  return existsSync(binary)
}

/** Builds the S3 server from the Go module proxy, once; false where that cannot be done. */
export function installS3Server() {
  if (hasS3Server()) return true
  console.log(`Building the S3 server for the tests: versitygw ${version} …`)
  const { status } = spawnSync(
    'go',
    ['install', `github.com/versity/versitygw/cmd/versitygw@${version}`],
    {
      env: {
        ...process.env,
        // Where Go's own archive puts it, which not every PATH names: https://go.dev/doc/install
        PATH: [process.env.PATH ?? '', '/usr/local/go/bin'].join(delimiter),
        GOBIN: folder,
        GOFLAGS: '-modcacherw',
        CGO_ENABLED: '0',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  return status === 0 && hasS3Server()
}

/**
 * Starts the S3 server with an empty bucket.
 * @returns the variables that tests find it by, and how to stop it
 */
export async function startS3Server() {
  const data = mkdtempSync(join(tmpdir(), 'vitrine-s3-'))
  mkdirSync(join(data, 'buckets', 'vitrine'), { recursive: true })
  // Not every file system has the extended attributes that it would use otherwise.
  mkdirSync(join(data, 'metadata'))
  const port = await freePort()
  const args = ['--port', `127.0.0.1:${port}`, '--region', 'us-east-1', '--quiet', '--keep-alive']
  const backend = ['posix', '--sidecar', join(data, 'metadata'), join(data, 'buckets')]
  const child = spawn(binary, [...args, ...backend], {
    env: { ...process.env, ROOT_ACCESS_KEY: 'vitrine', ROOT_SECRET_KEY: 'vitrine-secret' },
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  const endpoint = `http://127.0.0.1:${port}`
  await untilAnswers(endpoint, child)
  return {
    env: {
      VITRINE_TEST_BLOB_URL: `s3://vitrine?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: 'vitrine',
      AWS_SECRET_ACCESS_KEY: 'vitrine-secret',
    },
    stop: async () => {
      child.kill()
      await exited
      rmSync(data, { recursive: true })
    },
  }
}
