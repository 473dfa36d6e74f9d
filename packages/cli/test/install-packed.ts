import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

/**
 * Packs a package as it is published and installs the tarball in a folder outside the clone. The packages it
 * depends on are links to those of the clone, so no registry is asked; those it does not name are not there.
 * @returns the folder, which is the caller's to remove
 * @param stage writes the package to a folder
 * @param alsoInstalled packages of the clone that the program in that folder needs itself
 */
export async function installPacked(
  stage: (folder: string) => void,
  alsoInstalled: string[] = [],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-packed-'))
  const staged = join(folder, 'staged')
  mkdirSync(staged)
  stage(staged)
  const { stdout } = await run('npm', ['pack', '--json', staged], { cwd: folder })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  const manifest = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
    optionalDependencies?: Record<string, string>
  }
  const named = { ...manifest.dependencies, ...manifest.optionalDependencies }
  rmSync(staged, { recursive: true })
  const linked = (names: string[]) =>
    Object.fromEntries(names.map((name) => [name, `file:${folderOf(name)}`]))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      type: 'module',
      dependencies: linked(alsoInstalled),
      overrides: linked(Object.keys(named)),
    }),
  )
  const options = ['--offline', '--ignore-scripts', '--install-links=false', '--no-audit']
  await run('npm', ['install', ...options, `./${filename}`], { cwd: folder })
  return folder
}

function folderOf(name: string): string {
  const parts = ['', 'packages/server', 'packages/cli', 'packages/client', 'packages/rows']
  const folders = parts.map((part) => join(root, part, 'node_modules', name))
  return folders.find((folder) => existsSync(folder))!
}
