import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { CommandError } from '../command.ts'
import type { Io } from '../io.ts'

const storedSignIn = z.object({
  /** The provider and the client that the tokens are of. */
  authority: z.string(),
  clientId: z.string(),
  /** Who signed in, as the provider calls them. */
  username: z.optional(z.string()),
  accessToken: z.string(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
  refreshToken: z.optional(z.string()),
})
/** Stored tokens and user of a sign-in to one server. */
export type StoredSignIn = z.infer<typeof storedSignIn>

const credentials = z.object({
  /** The server that was signed in to last. */
  current: z.optional(z.string()),
  servers: z.record(z.string(), storedSignIn),
})
export type Credentials = z.infer<typeof credentials>

/** Milliseconds: a lock is held for the time of one request; an older one was left by a crash. */
const lockStale = 30_000
const lockPoll = 50

/** The sign-ins of this account of the computer, by the servers' addresses. */
export async function readCredentials({ env }: Pick<Io, 'env'>): Promise<Credentials> {
  let text: string
  try {
    text = await readFile(fileOf(folder(env)), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { servers: {} }
    throw error
  }
  try {
    return credentials.parse(JSON.parse(text))
  } catch (cause) {
    const file = fileOf(folder(env))
    throw new CommandError(`${file} cannot be read. Delete it, and sign in again.`, { cause })
  }
}

/**
 * Changes the file under a lock: of two commands that refreshed the same sign-in at once, the provider
 * would take the second for a thief.
 */
export async function changeCredentials<T>(
  io: Pick<Io, 'env'>,
  change: (credentials: Credentials) => Promise<T>,
): Promise<T> {
  const where = folder(io.env)
  await mkdir(where, { recursive: true, mode: 0o700 })
  const unlock = await lock(join(where, 'credentials.lock'))
  try {
    const kept = await readCredentials(io)
    const result = await change(kept)
    await replaceFile(fileOf(where), JSON.stringify(kept, undefined, 2) + '\n')
    return result
  } finally {
    await unlock()
  }
}

/** https://specifications.freedesktop.org/basedir-spec/latest/ */
function folder(env: Io['env']): string {
  const { XDG_CONFIG_HOME: xdg, APPDATA: appData } = env
  const config = xdg || (platform() === 'win32' && appData) || join(homedir(), '.config')
  return join(config, 'vitrine')
}

function fileOf(where: string): string {
  return join(where, 'credentials.json')
}

/** Whole or not at all, and from its first byte for its owner alone. */
async function replaceFile(file: string, text: string): Promise<void> {
  const fresh = `${file}.new`
  await rm(fresh, { force: true })
  const handle = await open(fresh, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(fresh, file)
}

async function lock(file: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await (await open(file, 'wx', 0o600)).close()
      return () => rm(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const held = await stat(file).catch(() => undefined)
    if (held !== undefined && Date.now() - held.mtimeMs > lockStale) await rm(file, { force: true })
    else await sleep(lockPoll)
  }
}
