/**
 * Finds where whole rows end in a stream of bytes, so that of one that is cut off no half of a row is
 * used. Rows end in line breaks; in delimited text, those within quotes are part of a value
 * (RFC 4180 §2).
 */
export class RowCutter {
  /** Whole rows so far. */
  rows = 0
  readonly #quotes: boolean
  #skip: boolean
  #quoted = false
  #rest: Uint8Array<ArrayBuffer>[] = []

  /** @param header whether the first row names columns, which then counts for none */
  constructor({ quotes, header }: { quotes: boolean; header: boolean }) {
    this.#quotes = quotes
    this.#skip = header
  }

  /** The bytes of whole rows that came to their end with `bytes`, in order. */
  push(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
    const end = this.#endOfRows(bytes)
    if (end === 0) {
      this.#rest.push(bytes)
      return []
    }
    const whole = [...this.#rest, bytes.subarray(0, end)]
    this.#rest = end < bytes.length ? [bytes.subarray(end)] : []
    return whole
  }

  /** Forgets the row that is not whole: it comes once more, after a header that is left out. */
  beginAgain(): void {
    this.#quoted = false
    this.#rest = []
  }

  #endOfRows(bytes: Uint8Array): number {
    let end = 0
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]
      if (byte === quote && this.#quotes) {
        // A quote within quotes is written twice, and so turns this twice.
        this.#quoted = !this.#quoted
      } else if (byte === lineFeed && !this.#quoted) {
        end = at + 1
        if (this.#skip) this.#skip = false
        else this.rows += 1
      }
    }
    return end
  }
}

const lineFeed = 0x0a
const quote = 0x22
