import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError, UsageError, type Given } from './command.ts'
import type { Io } from './io.ts'

export const passwordOptions = { 'password-stdin': { type: 'boolean' } } as const

/** A new password: from standard input if that was asked for, or else typed twice, unseen. */
export async function askPassword({ values, io }: Given): Promise<string> {
  if (values['password-stdin'] === true) return (await text(io.stdin)).replace(/\r?\n$/, '')
  if (io.stdin.isTTY !== true) {
    throw new UsageError('There is no terminal to type a password: use --password-stdin.')
  }
  const password = await askUnseen('Password: ', io)
  if ((await askUnseen('Once more: ', io)) !== password) {
    throw new CommandError('The two passwords differ.')
  }
  return password
}

async function askUnseen(question: string, { stdin, stderr }: Io): Promise<string> {
  stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true })
  const interrupted = new AbortController()
  lines.on('SIGINT', () => interrupted.abort()).on('close', () => interrupted.abort())
  try {
    return await lines.question('', { signal: interrupted.signal })
  } catch (error) {
    throw new CommandError('Nothing was changed.', { cause: error })
  } finally {
    lines.close()
    stderr.write('\n')
  }
}
