// Apart from `split.ts`, as connections of a database load this alone.

/** Makes the text that is hashed, as UTF-8, to find the part of a key. */
export function splitText(salt: string, key: string): string {
  return `${salt}\0${key}`
}

/** The first 60 bits of the sha256 of a `splitText`, in hex, modulo the sum of the weights. */
export function splitPoint(digest: string, total: number): number {
  // In two halves, as no product of theirs leaves what numbers count exactly.
  const high = Number.parseInt(digest.slice(0, 8), 16)
  const low = Number.parseInt(digest.slice(8, 15), 16)
  return ((high % total) * (2 ** 28 % total) + low) % total
}
