import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError, UsageError, type Given } from './command.ts'

export const passwordOptions = { 'password-stdin': { type: 'boolean' } } as const

/** A new password: from standard input if that was asked for, or else typed twice, unseen. */
export async function askPassword({ values }: Given): Promise<string> {
  if (values['password-stdin'] === true) return (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY) {
    throw new UsageError('There is no terminal to type a password: use --password-stdin.')
  }
  const password = await askUnseen('Password: ')
  if ((await askUnseen('Once more: ')) !== password) {
    throw new CommandError('The two passwords differ.')
  }
  return password
}

async function askUnseen(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  const interrupted = new AbortController()
  lines.on('SIGINT', () => interrupted.abort()).on('close', () => interrupted.abort())
  try {
    return await lines.question('', { signal: interrupted.signal })
  } catch (error) {
    throw new CommandError('Nothing was changed.', { cause: error })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
