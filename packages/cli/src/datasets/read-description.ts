import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import type { Io } from '../command/io.ts'
import { unreadable } from '../command/files.ts'

/**
 * Reads a description from a file, or from standard input, which is `-`.
 * @returns the text, and what to call it
 * @throws CommandError when it cannot be read
 */
export async function readDescription(
  file: string,
  { stdin }: Io,
): Promise<{ name: string; text: string }> {
  try {
    return file === '-'
      ? { name: 'standard input', text: await readText(stdin) }
      : { name: file, text: await readFile(file, 'utf8') }
  } catch (cause) {
    throw unreadable(file, cause)
  }
}
