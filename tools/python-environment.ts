import { spawn, spawnSync, type SpawnOptions, type SpawnSyncOptions } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './root.mjs'
import { installPackage } from './install-package.mjs'

/** The oldest Python for which what the tests use is released. */
const minorMin = 11

const testRequirements = join(root, 'python', 'requirements-test.txt')

/**
 * Makes an environment with the packages of a file of requirements, by default those that the Python package is built
 * and tested with, once for each set of versions; `PYTHON` names the Python that it is made with.
 * @param options of `pip install`
 * @returns the program `python` in it
 * @throws Error in a sentence where there is no such Python, or the packages cannot be had
 */
export function ensurePythonEnvironment(
  requirements = testRequirements,
  options: readonly string[] = [],
): string {
  const { program, version } = findPython()
  const digest = createHash('sha256').update(version).update(readFileSync(requirements))
  const folder = join(root, '.cache', 'python', digest.digest('hex').slice(0, 16))
  const stamp = join(folder, '.complete')
  if (!existsSync(stamp)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    console.log(`Installing ${relative(root, requirements)} for ${version} …`)
    createEnvironment(program, folder)
    const install = ['install', '--quiet', ...options, '--requirement', requirements]
    run(pythonOf(folder), ['-m', 'pip', ...install])
    writeFileSync(stamp, '')
  }
  return pythonOf(folder)
}

/** Makes an environment with nothing in it; returns the program `python` of it. */
export function createEnvironment(python: string, folder: string): string {
  run(python, ['-m', 'venv', folder])
  return pythonOf(folder)
}

/**
 * Runs a program and waits for it.
 * @throws Error unless it ends with 0
 */
export function run(program: string, words: string[], options: SpawnSyncOptions = {}): void {
  const { status, error } = spawnSync(program, words, { stdio: 'inherit', ...options })
  if (status !== 0) {
    throw new Error(`${program} ${words.join(' ')} ended with ${status}`, { cause: error })
  }
}

/**
 * Runs a program beside a server in this process, which goes on answering.
 * @throws Error unless it ends with 0
 */
export async function runAside(
  program: string,
  words: string[],
  options: SpawnOptions = {},
): Promise<void> {
  const child = spawn(program, words, { stdio: 'inherit', ...options })
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}`)
}

type Found = { program: string; version: string }

function findPython(): Found {
  const named = process.env['PYTHON']
  const found = named === undefined ? (newestOnPath() ?? installDebians()) : examine(named)
  if (found !== undefined) return found
  throw new Error(
    `${named ?? 'No python3 here'} is no Python 3.${minorMin} or newer with the module venv. Install one, or name it in PYTHON.`,
  )
}

function newestOnPath(): Found | undefined {
  const names = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python']
  return names.map(examine).find((found) => found !== undefined)
}

/** Whether a program is a Python that will do, and which. */
function examine(program: string): Found | undefined {
  const code = 'import sys, venv, ensurepip; print(*sys.version_info[:3], sep=".")'
  const { status, stdout } = spawnSync(program, ['-c', code], { encoding: 'utf8' })
  const [major, minor = 0] = (stdout ?? '').trim().split('.').map(Number)
  if (status !== 0 || major !== 3 || minor < minorMin) return undefined
  return { program, version: `Python ${stdout.trim()}` }
}

function installDebians(): Found | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  console.log("No Python 3.11 or newer here; trying Debian's package …")
  installPackage('python3-venv')
  return newestOnPath()
}

function pythonOf(folder: string): string {
  return process.platform === 'win32'
    ? join(folder, 'Scripts', 'python.exe')
    : join(folder, 'bin', 'python')
}
