import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fillDatabase } from './fill-database.ts'

const root = join(import.meta.dirname, '..')
const cache = join(root, '.cache', 'bench')

/** A filled database of SQLite, made once for every layout of the tables. */
export async function filledSqliteFile(): Promise<string> {
  const folder = join(cache, layoutDigest())
  const file = join(folder, 'vitrine.db')
  if (existsSync(file)) return file
  rmSync(cache, { recursive: true, force: true })
  const filling = join(cache, 'filling')
  mkdirSync(filling, { recursive: true })
  await fillDatabase(`sqlite:${join(filling, 'vitrine.db')}`)
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
