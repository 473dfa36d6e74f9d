import { createWriteStream, openAsBlob } from 'node:fs'
import { access, constants, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { CommandError } from './command.ts'

/**
 * A file as it is when it is sent: only then, and piece by piece, its bytes are read.
 * @throws CommandError when it cannot be read
 */
export async function openFile(path: string, type: string): Promise<Blob> {
  try {
    await access(path, constants.R_OK)
    return await openAsBlob(path, { type })
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

/** Why a file of this computer cannot be read, in words. */
export function unreadable(path: string, cause: unknown): CommandError {
  const { code, message } = cause as NodeJS.ErrnoException
  const why = (code !== undefined && reasons[code]) || message
  return new CommandError(`${path} cannot be read: ${why}.`, { cause, exitCode: 6 })
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
}

/** Writes the body of a reply to a file, of which nothing stays if that fails. */
export async function saveReply(response: Response, file: string): Promise<void> {
  try {
    await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(file))
  } catch (cause) {
    await rm(file, { force: true })
    throw new CommandError(`${file} could not be written: ${(cause as Error).message}.`, { cause })
  }
}

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
