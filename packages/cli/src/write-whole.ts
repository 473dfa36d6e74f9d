import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { CommandError } from './command.ts'

/** Writes a file that is whole or not there: until its last byte it has another name. */
export async function writeWhole(bytes: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const partial = `${file}.part`
  try {
    await pipeline(bytes, createWriteStream(partial, { flush: true }))
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    // Of the system, not of the server.
    if (code === undefined || !('syscall' in (error as Error))) throw error
    throw new CommandError(`${file} could not be written: ${message}.`, { cause: error })
  }
}
