import { type ScryptOptions, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** The parameters of scrypt (RFC 7914 §2), N by its logarithm. */
export type Cost = { logN: number; r: number; p: number }

/** scrypt's cost as OWASP's password storage cheat sheet asks: 128 MB and a third of a second. */
export const usualCost: Cost = { logN: 17, r: 8, p: 1 }

/** The cost of new hashes, which tests lower; a hash says what it was made with. */
export const passwordCost: Cost = { ...usualCost }

const saltBytes = 16
const keyBytes = 32

export const passwordLengthMin = 8
export const passwordLengthMax = 256

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** Hashings run one after the other: each takes 128 MB. */
let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/** More than this, and who comes next would wait for longer than people do. */
const waitingMax = 20

/** Too many passwords are being checked. */
export class PasswordsBusy extends Error {
  override name = 'PasswordsBusy'
}

async function hash(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  if (waiting >= waitingMax) throw new PasswordsBusy()
  waiting += 1
  const options = { N: 2 ** logN, r, p, maxmem: 2 * 128 * r * 2 ** logN }
  // The same characters may be typed as different code points on different keyboards (RFC 8265 §4.1).
  const turn = last.then(() => derive(password.normalize('NFC'), salt, keyBytes, options))
  last = turn.catch(() => undefined)
  try {
    return await turn
  } finally {
    waiting -= 1
  }
}

/** Hashes a password for storage: `scrypt`, its cost, the salt and the hash in one text. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const cost = { ...passwordCost }
  return written(cost, salt, await hash(password, salt, cost))
}

/**
 * Whether a password is the one that was kept; false without one, after as long a time.
 * @throws PasswordsBusy
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, logN, r, p, salt = '', key = ''] = (stored ?? nobodys()).split('$')
  const parameters = { logN: Number(logN), r: Number(r), p: Number(p) }
  const derived = await hash(password, Buffer.from(salt, 'base64'), parameters)
  const same = timingSafeEqual(derived, Buffer.from(key, 'base64'))
  return same && stored !== undefined
}

/** Stands in where there is no account, so that a refusal does not tell by its time whether there is. */
const nobodys = () => written(passwordCost, Buffer.alloc(saltBytes), Buffer.alloc(keyBytes))

function written({ logN, r, p }: Cost, salt: Buffer, key: Buffer): string {
  return `scrypt$${logN}$${r}$${p}$${salt.toString('base64')}$${key.toString('base64')}`
}

let passwords: Promise<Set<string>> | undefined

/** Whether a password is among those that people choose most, and that are tried first. */
export async function isCommonPassword(password: string): Promise<boolean> {
  // Loaded when somebody chooses a password, which is rare: the list takes some megabytes.
  passwords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return (await passwords).has(password.toLowerCase())
}
