import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** By what secret scanners find personal access tokens: `vtr_[0-9A-Za-z]{49}`. */
const tokenPrefix = 'vtr_'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 43 characters of 62 are 256 random bits. */
const secretLength = 43
/** Digits in base 62 of a CRC-32. */
const checksumLength = 6

const form = /^vtr_[0-9A-Za-z]{49}$/

/** Makes up the text of a new token: prefix, secret, checksum. */
export function makeTokenText(): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)])
  const beginning = tokenPrefix + secret.join('')
  return beginning + checksum(beginning)
}

/** Whether a text may be a token: one that was typed wrong or cut off is told without the database. */
export function isTokenText(text: string): boolean {
  return form.test(text) && text.endsWith(checksum(text.slice(0, -checksumLength)))
}

/**
 * Hashes a token as it is stored, in hex. A fast hash will do for 256 random bits, as nobody can try them out; and the
 * time of a look-up may differ, as how far two hashes agree tells nothing of the token.
 */
export function hashToken(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < checksumLength; place += 1) {
    digits = alphabet[rest % alphabet.length]! + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
