import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'

/** scrypt's cost as OWASP's password storage cheat sheet asks: 128 MB and a third of a second. */
const cost = { logN: 17, r: 8, p: 1 }
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

async function hash(
  password: string,
  salt: Buffer,
  { logN, r, p }: { logN: number; r: number; p: number },
): Promise<Buffer> {
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

/** What to keep of a password: the hash, with the salt and the cost that it was made with. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const key = await hash(password, salt, cost)
  const { logN, r, p } = cost
  return `scrypt$${logN}$${r}$${p}$${salt.toString('base64')}$${key.toString('base64')}`
}

/**
 * Whether a password is the one that was kept; false without one, after as long a time.
 * @throws PasswordsBusy
 */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const [, logN, r, p, salt = '', key = ''] = (kept ?? nobodys).split('$')
  const parameters = { logN: Number(logN), r: Number(r), p: Number(p) }
  const derived = await hash(password, Buffer.from(salt, 'base64'), parameters)
  const same = timingSafeEqual(derived, Buffer.from(key, 'base64'))
  return same && kept !== undefined
}

/** Stands in where there is no account, so that a refusal does not tell by its time whether there is. */
const nobodys = `scrypt$${cost.logN}$${cost.r}$${cost.p}$${Buffer.alloc(saltBytes).toString('base64')}$${Buffer.alloc(keyBytes).toString('base64')}`
