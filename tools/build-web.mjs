import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

const stamp = join(root, 'packages', 'web', 'dist', '.built-from')

/** Builds the web app, unless what is built came from the same sources. */
export function buildWeb() {
  const wanted = sourcesDigest()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Building the web app …')
  const build = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (build.status !== 0) process.exit(build.status ?? 1)
  writeFileSync(stamp, wanted)
}

function sourcesDigest() {
  const files = globSync(
    [
      'package-lock.json',
      'packages/web/*.{json,ts}',
      'packages/web/{src,public}/**/*',
      'packages/{client,contract,rows,transparency-log}/{package.json,src/**/*}',
    ],
    { cwd: root },
  )
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const path = join(root, file)
    if (statSync(path).isFile()) hash.update(`${file}\0`).update(readFileSync(path))
  }
  return hash.digest('hex')
}
