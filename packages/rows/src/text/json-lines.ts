import { UnreadableFile } from '../row-batch.ts'

const [quote, backslash, comma, lineFeed, space] = [0x22, 0x5c, 0x2c, 0x0a, 0x20]
const [openingBracket, closingBracket, opening, closing] = [0x5b, 0x5d, 0x7b, 0x7d]

/** RFC 8259 §2. */
const isSpace = (byte: number) =>
  byte === space || byte === lineFeed || byte === 0x09 || byte === 0x0d

/**
 * Makes NDJSON of an array in JSON, byte by byte in its place: the commas between its elements become line breaks,
 * and line breaks among them spaces, so that an element is a line. What an element is, is not looked at. A file
 * that begins with an object is NDJSON already, and stays as it is.
 * @throws UnreadableFile where it is neither
 */
export async function* jsonLines<Bytes extends Uint8Array>(
  source: AsyncIterable<Bytes>,
): AsyncGenerator<Bytes> {
  const scan = new ArrayScan()
  let isLines = false
  for await (const chunk of source) {
    const from = scan.hasBegun ? 0 : chunk.findIndex((byte) => !isSpace(byte))
    isLines ||= !scan.hasBegun && chunk[from] === opening
    if (!isLines && from !== -1) scan.next(chunk, from)
    yield chunk
  }
  if (!isLines) scan.end()
}

class ArrayScan {
  hasBegun = false
  #hasEnded = false
  /** Objects and lists around the place, the array itself left out. */
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** Whether the element has anything in it. */
  #hasElement = false
  #elements = 0

  /** Changes a chunk from a byte on. */
  next(chunk: Uint8Array, from: number): void {
    for (let at = from; at < chunk.length; at += 1) {
      if (this.#isInString) at = this.#passString(chunk, at)
      else {
        const byte = chunk[at]!
        if (!isSpace(byte)) chunk[at] = this.#take(byte)
        else if (byte === lineFeed) chunk[at] = space
      }
    }
  }

  /** Returns where a string that goes on at `from` ends, or the end of the chunk. */
  #passString(chunk: Uint8Array, from: number): number {
    let at = this.#isEscaped ? from + 1 : from
    this.#isEscaped = false
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at]!
      if (byte === quote) {
        this.#isInString = false
        return at
      }
      if (byte === backslash) {
        at += 1
        this.#isEscaped = at === chunk.length
      } else if (byte === lineFeed) {
        throw new UnreadableFile(`has a line break in a text of ${this.#row}`)
      }
    }
    return at
  }

  end(): void {
    if (!this.hasBegun) throw new UnreadableFile('is empty, and should be an array of JSON')
    if (!this.#hasEnded) {
      throw new UnreadableFile(
        `is an array of JSON that does not end: it breaks off in ${this.#row}`,
      )
    }
  }

  get #row(): string {
    return `row ${this.#elements + 1}`
  }

  #take(byte: number): number {
    if (this.#hasEnded) throw new UnreadableFile('has something after the end of its array')
    if (!this.hasBegun) {
      if (byte !== openingBracket) throw new UnreadableFile('is no array of JSON objects')
      this.hasBegun = true
      return space
    }
    if (this.#depth === 0 && (byte === comma || byte === closingBracket))
      return this.#endElement(byte)
    this.#hasElement = true
    if (byte === quote) this.#isInString = true
    else if (byte === opening || byte === openingBracket) this.#depth += 1
    else if (byte === closing || byte === closingBracket) this.#depth -= 1
    return byte
  }

  #endElement(byte: number): number {
    const isEmptyArray = byte === closingBracket && this.#elements === 0
    if (!this.#hasElement && !isEmptyArray) {
      throw new UnreadableFile(`has a comma and nothing before it or after it at ${this.#row}`)
    }
    this.#elements += 1
    this.#hasElement = false
    this.#hasEnded = byte === closingBracket
    return byte === comma ? lineFeed : space
  }
}
