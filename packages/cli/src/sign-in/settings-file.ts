import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod/mini'
import { CommandError } from '../command/command.ts'
import type { Io } from '../command/io.ts'

/** Milliseconds: a lock is held for the time of one request; an older one was left by a crash. */
const lockStale = 30_000
const lockPoll = 50

/** JSON that this account of the computer keeps between commands. */
export type SettingsFile<T> = {
  /** Without its extension. */
  name: string
  schema: z.ZodMiniType<T>
  empty: () => T
  /** Advice where it cannot be read, as the end of a sentence. */
  remedy: string
}

export async function readSettings<T>(
  { env }: Pick<Io, 'env'>,
  { name, schema, empty, remedy }: SettingsFile<T>,
): Promise<T> {
  const file = join(folder(env), `${name}.json`)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return empty()
    throw error
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new CommandError(`${file} cannot be read. Delete it, ${remedy}.`, { cause })
  }
}

/** Changes a file under a lock, beside other commands. */
export async function changeSettings<T, R>(
  io: Pick<Io, 'env'>,
  settings: SettingsFile<T>,
  change: (settings: T) => Promise<R>,
): Promise<R> {
  const where = folder(io.env)
  await mkdir(where, { recursive: true, mode: 0o700 })
  const unlock = await lock(join(where, `${settings.name}.lock`))
  try {
    const stored = await readSettings(io, settings)
    const result = await change(stored)
    await replaceFile(
      join(where, `${settings.name}.json`),
      JSON.stringify(stored, undefined, 2) + '\n',
    )
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
