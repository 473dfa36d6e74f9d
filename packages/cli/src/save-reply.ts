import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { CommandError } from './command.ts'

/** Writes the body of a reply to a file, of which nothing stays if that fails. */
export async function saveReply(response: Response, file: string): Promise<void> {
  try {
    await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(file))
  } catch (cause) {
    await rm(file, { force: true })
    throw new CommandError(`${file} could not be written: ${(cause as Error).message}.`, { cause })
  }
}
