import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './root.mjs'

// Plain JavaScript for whatever Node the machine has: nothing is installed yet when this runs.

const stamp = join(root, 'node_modules', '.vitrine-install')

/** Installs the locked dependencies, unless they are there already. */
export function ensureInstalled() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing dependencies …')
  // Not `npm ci`, which first removes what is there, and a server may run from it. `--no-save` installs what
  // is locked and leaves it locked.
  const npm = spawnSync('npm', ['install', '--no-save', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) process.exit(npm.status ?? 1)
  writeFileSync(stamp, wanted)
}

/** The environment in which `node` is the Node that the project pins (or a newer system one). */
export function pinnedEnvironment() {
  const bin = join(root, 'node_modules', '.bin')
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` }
  const { stdout } = spawnSync('node', ['--version'], { env, encoding: 'utf8' })
  if (Number(/^v(\d+)/.exec(stdout ?? '')?.[1]) >= 24) return env
  console.error(
    'Vitrine needs Node 24 or newer, and has no packaged one for this kind of machine. ' +
      'Install Node 24 and try again.',
  )
  process.exit(1)
}
