import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(import.meta.dirname, '..')
const cache = join(root, '.cache', 'bench')

/** How many items the repositories of the filled database have; each is named `items-<size>`. */
export const sizes = [1000, 100_000, 3_000_000] as const

/** A database with a repository of each size, made once for every layout of the tables. */
export async function filledDatabase(): Promise<string> {
  const folder = join(cache, layoutDigest())
  const file = join(folder, 'vitrine.db')
  if (existsSync(file)) return file
  console.log('Filling a database, which takes a minute the first time …')
  rmSync(cache, { recursive: true, force: true })
  const filling = join(cache, 'filling')
  mkdirSync(filling, { recursive: true })
  const fill = fileURLToPath(import.meta.resolve('./fill.ts'))
  const child = spawn(process.execPath, [fill, join(filling, 'vitrine.db'), ...sizes.map(String)], {
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('the database could not be filled')
  renameSync(filling, folder)
  return file
}

function layoutDigest(): string {
  const files = globSync(
    ['packages/server/src/store/{items.ts,migrations/*.ts}', 'bench/fill.ts'],
    { cwd: root },
  )
  const hash = createHash('sha256')
  for (const file of files.toSorted()) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}
