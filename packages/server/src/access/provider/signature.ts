import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs words, none of which has a space in it but the first, which says what the signature is for. */
export function signature(key: string, words: string[]): string {
  return createHmac('sha256', key).update(words.join(' ')).digest('base64url')
}

export function isSignature(given: string, key: string, words: string[]): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(signature(key, words))]
  return one.length === other.length && timingSafeEqual(one, other)
}
