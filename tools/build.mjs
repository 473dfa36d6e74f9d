import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './root.mjs'

const imported = ['client', 'contract', 'rows', 'sha256-lanes', 'transparency-log']

/** Builds the server and the web app, unless what is built came from the same sources. */
export function build() {
  buildServer()
  buildWeb()
}

export function buildServer() {
  buildPackage('server', 'server')
}

export function buildWeb() {
  buildPackage('web', 'web app')
}

function buildPackage(name, title) {
  const stamp = join(root, 'packages', name, 'dist', '.built-from')
  const [lastTouched, lastContent, lastBegun] = existsSync(stamp)
    ? readFileSync(stamp, 'utf8').split('\n')
    : []
  const files = sourcesOf([name, ...imported])
  // Reading them takes a tenth of a second at each start, and is left out where none was touched.
  const touched = digestOf(files, ({ size, mtimeMs }) => `${size} ${mtimeMs}`)
  if (lastTouched === touched) return
  const content = digestOf(files, ({ path }) => readFileSync(path))
  const isSame = lastContent === content
  const begun = isSame ? lastBegun : Date.now()
  if (!isSame) {
    console.log(`Building the ${title} …`)
    const { status } = spawnSync(
      'npm',
      ['run', '--silent', 'build', '--workspace', `@vitrine/${name}`],
      {
        cwd: root,
        // A test runner has another, and its web app would be one for development.
        env: { ...process.env, NODE_ENV: 'production' },
        stdio: ['ignore', 'ignore', 'inherit'],
        shell: process.platform === 'win32',
      },
    )
    if (status !== 0) process.exit(status ?? 1)
    removeOlder(dirname(stamp), Number(lastBegun))
  }
  writeFileSync(stamp, [touched, content, begun].join('\n'))
}

/** Removes what builds before the last one wrote: a server that runs may have threads of the last one to start. */
function removeOlder(folder, moment) {
  for (const entry of list(folder, { recursive: true }).filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    if (statSync(path).mtimeMs < moment) rmSync(path)
  }
}

/** @returns the files that packages are built from, with their size and when they were written */
function sourcesOf(names) {
  const folders = names.map((name) => join(root, 'packages', name))
  const entries = [
    ...folders.flatMap((folder) => list(folder)),
    ...folders.flatMap((folder) =>
      ['src', 'public']
        .map((part) => join(folder, part))
        .filter((part) => existsSync(part))
        .flatMap((part) => list(part, { recursive: true })),
    ),
  ]
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return [join(root, 'package-lock.json'), ...paths.toSorted((a, b) => (a < b ? -1 : 1))].map(
    (path) => {
      const { size, mtimeMs } = statSync(path)
      return { path, size, mtimeMs }
    },
  )
}

function list(folder, options = {}) {
  return readdirSync(folder, { ...options, withFileTypes: true })
}

function digestOf(files, describe) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file.path}\0`).update(describe(file))
  return hash.digest('hex')
}
