import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { root } from './root.mjs'

const env = {
  ...process.env,
  // Where Go's own archive puts it, which not every PATH names: https://go.dev/doc/install
  PATH: [process.env.PATH ?? '', '/usr/local/go/bin'].join(delimiter),
}

/** Whether Go is on the machine, which the program that verifies logs is built with. */
export function hasGo() {
  return spawnSync('go', ['version'], { env, stdio: 'ignore' }).status === 0
}

/**
 * Builds the program that verifies logs, `tools/check-log`, from the Go module proxy.
 * @returns {string} its path
 * @throws {Error} where that cannot be done
 */
export function buildCheckLog() {
  const binary = join(root, '.cache', process.platform === 'win32' ? 'check-log.exe' : 'check-log')
  const { status, stderr } = spawnSync(
    'go',
    ['build', '-mod=readonly', '-modcacherw', '-o', binary, '.'],
    { cwd: join(root, 'tools', 'check-log'), env: { ...env, CGO_ENABLED: '0' }, encoding: 'utf8' },
  )
  if (status === 0) return binary
  throw new Error(`tools/check-log could not be built, which needs Go and a proxy: ${stderr}`)
}
