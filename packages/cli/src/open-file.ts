import { openAsBlob } from 'node:fs'
import { access, constants } from 'node:fs/promises'
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
