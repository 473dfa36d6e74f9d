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
    const { message } = cause as Error
    throw new CommandError(`${path} cannot be read: ${message}.`, { cause, exitCode: 6 })
  }
}
