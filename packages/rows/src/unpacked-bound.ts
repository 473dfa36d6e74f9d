/** A file may unpack to so many times its size, beside what is small anyway: a bomb goes beyond. */
const unpacked = { times: 200, bytesMin: 64 * 1024 ** 2 }

/** The most bytes that a file of so many may unpack to. */
export function unpackedMax(bytes: number): number {
  return Math.max(unpacked.bytesMin, bytes * unpacked.times)
}

export const unpacksTooFar = `unpacks to more than ${unpacked.times} times its size`

/** The bytes that may be unpacked together. */
export class UnpackBudget {
  #left: number

  constructor(bytesMax: number) {
    this.#left = bytesMax
  }

  /** @throws Error where so many are not left */
  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw new Error(unpacksTooFar)
  }
}
