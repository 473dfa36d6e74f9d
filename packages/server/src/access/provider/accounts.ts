import { randomInt, randomUUID } from 'node:crypto'
import {
  deleteAccount,
  hasAccounts,
  insertAccount,
  listAccounts,
  setPassword,
} from '../../store/accounts.ts'
import { type Audited, writeAudit } from '../../store/audit-log.ts'
import { endSessions } from '../../store/provider.ts'
import type { Store } from '../../store/store.ts'
import { deleteTokensOf } from '../../store/tokens.ts'
import {
  hashPassword,
  isCommonPassword,
  passwordLengthMax,
  passwordLengthMin,
} from './passwords.ts'

/** A refusal to change an account, with a sentence for the operator. */
export class AccountError extends Error {
  override name = 'AccountError'
}

export type Credentials = { username: string; password: string }

/** Whether the password was made up for the person, who then chooses another one at the first sign-in. */
export type GivenCredentials = Credentials & { mustChange?: boolean }

/** `createdAt` in ISO 8601. */
export type Account = { username: string; createdAt: string }

const validName = /^[a-z0-9][a-z0-9._@+-]{0,63}$/

/** Names are kept in lower case, as people do not remember the case of theirs. */
export function accountName(username: string): string {
  return username.trim().toLowerCase()
}

/** Whether an account can have a name, as it is kept. */
export function isAccountName(name: string): boolean {
  return validName.test(name)
}

/**
 * @returns the name as it is kept
 * @throws AccountError when the name or the password cannot serve, or the name is taken
 */
export async function addAccount(store: Store, credentials: GivenCredentials): Promise<string> {
  const name = accountName(credentials.username)
  if (!isAccountName(name)) {
    throw new AccountError(
      'A username has up to 64 characters: letters a to z, digits and . _ @ + -, and begins with a letter or a digit.',
    )
  }
  await checkPassword(credentials.password, name)
  const password = await hashPassword(credentials.password)
  const added = await store.write(async (transaction) => {
    const id = randomUUID()
    const isNew = await insertAccount(transaction, {
      id,
      name,
      password,
      must_change: credentials.mustChange === true ? 1 : 0,
    })
    if (isNew) await writeAudit(transaction, accountAct('account-added', { name, id }))
    return isNew
  })
  if (!added) throw new AccountError(`There is an account ${name} already.`)
  return name
}

export async function accountList(store: Store): Promise<Account[]> {
  const rows = await listAccounts(store.reads)
  return rows.map(({ name, created_at }) => ({
    username: name,
    createdAt: new Date(created_at).toISOString(),
  }))
}

/**
 * Changes a password and ends what was begun with the old one.
 * @throws AccountError when the password cannot serve or there is no such account
 */
export async function changePassword(store: Store, credentials: GivenCredentials): Promise<void> {
  const name = accountName(credentials.username)
  await checkPassword(credentials.password, name)
  const password = await hashPassword(credentials.password)
  await store.write(async (transaction) => {
    const id = await setPassword(transaction, {
      name,
      password,
      must_change: credentials.mustChange === true ? 1 : 0,
    })
    if (id === undefined) throw new AccountError(`There is no account ${name}.`)
    await endSessions(transaction, { accountId: id })
    await writeAudit(transaction, accountAct('password-set', { name, id }))
  })
}

/** @throws AccountError when there is no such account */
export async function removeAccount(store: Store, username: string): Promise<void> {
  const name = accountName(username)
  await store.write(async (transaction) => {
    const id = await deleteAccount(transaction, name)
    if (id === undefined) throw new AccountError(`There is no account ${name}.`)
    await endSessions(transaction, { accountId: id })
    await deleteTokensOf(transaction, id)
    await writeAudit(transaction, accountAct('account-removed', { name, id }))
  })
}

/**
 * The first account of an installation, `admin`, with the given password or else one made up here.
 * @returns what to print once; undefined when there are accounts already
 */
export async function addFirstAccount(
  store: Store,
  password: string | undefined,
): Promise<Credentials | undefined> {
  if (await hasAccounts(store.reads)) return undefined
  const first = { username: 'admin', password: password ?? generatePassword() }
  try {
    await addAccount(store, { ...first, mustChange: password === undefined })
  } catch (error) {
    // Of processes that start together, one makes it, and tells its password.
    if (error instanceof AccountError && (await hasAccounts(store.reads))) return undefined
    throw error
  }
  return first
}

/** @throws AccountError when a password cannot serve for the account of a name */
export async function checkPassword(password: string, name: string): Promise<void> {
  const { length } = password
  if (length < passwordLengthMin) {
    throw new AccountError(`A password has at least ${passwordLengthMin} characters.`)
  }
  if (length > passwordLengthMax) {
    throw new AccountError(`A password has at most ${passwordLengthMax} characters.`)
  }
  if (isGuessed(password.toLowerCase(), [name, product])) {
    throw new AccountError(
      'The password is little more than the username or the name of this program: choose another one.',
    )
  }
  if (await isCommonPassword(password)) {
    throw new AccountError(
      'This password is among the most common ones, which are tried first: choose another one.',
    )
  }
}

const product = 'vitrine'

/** Fewer characters beside words that are known are guessed as soon as the words alone. */
const ownMin = 6

/** Whether little is left of a password without words that anybody tries first, forwards or backwards. */
function isGuessed(password: string, words: readonly string[]): boolean {
  const both = words.flatMap((word) => [word, Array.from(word).toReversed().join('')])
  const rest = both
    .filter(({ length }) => length > 2)
    .reduce((left, word) => left.replaceAll(word, ''), password)
  return rest !== password && rest.length < ownMin
}

/** No characters that look alike: people type this from a terminal. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Makes a password up: four groups of five, 99 bits. */
export function generatePassword(): string {
  return Array.from({ length: 4 }, () => randomLetters(5)).join('-')
}

function randomLetters(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

function accountAct(
  what: 'account-added' | 'password-set' | 'account-removed',
  { name, id }: { name: string; id: string },
): Audited {
  return { what, details: { account: name, subject: id } }
}
