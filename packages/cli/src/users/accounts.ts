import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { AccountError, generatePassword } from '@vitrine/server/accounts'
import { readConfig } from '@vitrine/server/config'
import { type Store, openStore } from '@vitrine/server/store'
import { type Invocation, CommandError, UsageError } from '../command/command.ts'
import type { Io } from '../command/io.ts'

/**
 * Opens the store of the installation that the environment describes, as the server does. Both may have
 * it open at once, and what is changed here holds for the server's next request.
 */
export async function withAccounts<T>(
  { env }: Pick<Io, 'env'>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const config = readConfig(env)
  if (config.oidc.authority !== undefined) {
    throw new CommandError(
      `People sign in at ${config.oidc.authority} (VITRINE_OIDC_AUTHORITY): their accounts are kept there.`,
    )
  }
  const store = await openStore(config)
  try {
    return await work(store)
  } catch (error) {
    if (error instanceof AccountError) throw new CommandError(error.message, { cause: error })
    throw error
  } finally {
    await store.close()
  }
}

export const passwordOptions = {
  generate: { type: 'boolean' },
  'password-stdin': { type: 'boolean' },
} as const

/** `mustChange` if it was made up, so that its owner chooses another one. */
type NewPassword = { password: string; mustChange: boolean }

/** A new password: made up or from standard input if that was asked for, or else typed twice, unseen. */
export async function askPassword(
  invocation: Invocation<typeof passwordOptions>,
): Promise<NewPassword> {
  if (!invocation.values.generate) {
    return { password: await readPassword(invocation), mustChange: false }
  }
  if (invocation.values['password-stdin'] === true) {
    throw new UsageError('Use --generate or --password-stdin, not both.')
  }
  return { password: generatePassword(), mustChange: true }
}

/** Note on a generated password, for the line of a command; '' where the password was not generated. */
export function passwordNote({ password, mustChange }: NewPassword): string {
  if (!mustChange) return ''
  return ` The password is ${password} until the first sign-in, which asks for another one.`
}

async function readPassword({ values, io }: Invocation<typeof passwordOptions>): Promise<string> {
  if (values['password-stdin'] === true) return (await text(io.stdin)).replace(/\r?\n$/, '')
  if (io.stdin.isTTY !== true) {
    throw new UsageError(
      'There is no terminal to type a password: use --password-stdin or --generate.',
    )
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
