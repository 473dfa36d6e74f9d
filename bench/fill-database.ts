import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** How many items the repositories of a filled database have; each is named `items-<size>`. */
export const sizes = [1000, 100_000, 3_000_000] as const

/** Fills a new database with a repository of each size, in a process of its own. */
export async function fillDatabase(
  url: string,
  filledSizes: readonly number[] = sizes,
): Promise<void> {
  console.log('Filling a database, which takes a minute …')
  const fill = fileURLToPath(import.meta.resolve('./fill.ts'))
  const child = spawn(process.execPath, [fill, url, ...filledSizes.map(String)], {
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('the database could not be filled')
}
