import { copyFileSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../python-environment.ts'
import { root } from '../root.mjs'

const sources = join(root, 'python')
/** Files that are published. */
const published = ['pyproject.toml', 'README.md', 'src', 'tests', 'examples']

/**
 * Builds the wheel and the sdist of the Python package, the wheel from the sdist.
 * @param python of the environment that the package is tested in
 * @returns the names of the two files in `outDir`
 */
export function buildPython(python: string, outDir: string): { wheel: string; sdist: string } {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-python-'))
  const built = join(folder, 'built')
  try {
    for (const name of published) {
      cpSync(join(sources, name), join(folder, 'source', name), {
        recursive: true,
        filter: (path) => !path.includes('__pycache__'),
      })
    }
    copyFileSync(join(root, 'LICENSE'), join(folder, 'source', 'LICENSE'))
    const words = ['-m', 'build', '--no-isolation', '--outdir', built, join(folder, 'source')]
    run(python, words, { stdio: ['ignore', 'ignore', 'inherit'] })
    const names = readdirSync(built)
    for (const name of names) copyFileSync(join(built, name), join(outDir, name))
    const ending = (end: string) => names.find((name) => name.endsWith(end))!
    return { wheel: ending('.whl'), sdist: ending('.tar.gz') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The version of the Python package. */
export function pythonVersion(): string {
  const text = readFileSync(join(sources, 'pyproject.toml'), 'utf8')
  return /^version = "(.+)"$/m.exec(text)![1]!
}
