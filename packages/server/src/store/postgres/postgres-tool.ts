import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SnapshotError } from '../snapshot.ts'

/**
 * Runs a program of PostgreSQL's own, on a database where there is a `url`; returns what it prints.
 * @throws SnapshotError where it is not there, or fails
 */
export async function runPostgresTool(
  program: 'pg_dump' | 'pg_restore',
  words: string[],
  { url, signal }: { url?: string; signal: AbortSignal },
): Promise<string> {
  const { address, password } = url === undefined ? noDatabase : withoutPassword(url)
  const child = spawn(program, [...(address === '' ? [] : [`--dbname=${address}`]), ...words], {
    // Others can see the words of a command, and not its environment.
    env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  const output = text(child.stdout)
  const errors = text(child.stderr)
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code === 0) return await output
  } catch (error) {
    signal.throwIfAborted()
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new SnapshotError(
      `${program} is not there: install PostgreSQL's client programs, of the server's version or newer.`,
    )
  }
  throw new SnapshotError(`${program} failed: ${(await errors).trim()}`)
}

const noDatabase = { address: '', password: '' }

function withoutPassword(url: string): { address: string; password: string } {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  return { address: address.href, password }
}
