import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '@vitrine/contract'
import { type Failure, fail, failAt } from '../failure.ts'

/** One parameter of a header (RFC 9110 §5.6.6): a token, or a quoted string. */
const parameter = /;[ \t]*([^\s;="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/y

/** One part of a form: everything is a stream of bytes, whatever the form says of file names. */
export type Part = {
  name: string
  /** Lowercase; `text/plain` where the part names none (RFC 7578 §4.4). */
  mime: string
  /** May be left early, and read on where it was left. */
  bytes: AsyncIterable<Buffer>
}

/** One for each field, and one more to notice that there are too many. */
const partsMax = limits.fields + 1
const partHeaderBytes = 8 * 1024
/** How much longer than its values a form may be. */
export const formOverheadBytes = partsMax * partHeaderBytes

const closing = Buffer.from('--')
const headersEnd = Buffer.from('\r\n\r\n')

/**
 * Reads `multipart/form-data` (RFC 7578, RFC 2046 §5.1). What is left of a part when the next one is
 * asked for is passed over, like parts that are not `form-data`.
 * @throws Failure MEDIA_TYPE_UNSUPPORTED, REQUEST_INVALID, and whatever `body` fails with
 */
export async function* readParts(
  headers: IncomingHttpHeaders,
  body: AsyncIterable<Buffer>,
): AsyncGenerator<Part, void, undefined> {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(headers)}`)
  // The first delimiter is a whole line, too, but nothing stands before it.
  const form = new DelimitedBytes(body, { head: '\r\n', cutOff: malformed })
  await readSmallValue(form.upTo(delimiter))
  for (let parts = 1; !(await form.startsWith(closing)); parts += 1) {
    if (parts > partsMax) throw malformed(`there are more than ${partsMax} parts`)
    const { isField, name, mime } = readHeaders(await readSmallValue(form.upTo(headersEnd)))
    const pieces = form.upTo(delimiter)
    if (isField) {
      if (name === undefined) throw malformed('a part has no name')
      yield { name, mime, bytes: leavable(pieces) }
    }
    while ((await pieces.next()).done !== true);
  }
}

function boundaryOf(headers: IncomingHttpHeaders): string {
  const { value, parameters } = readParameters(headers['content-type'] ?? '')
  if (value !== 'multipart/form-data') throw fail('MEDIA_TYPE_UNSUPPORTED')
  const boundary = parameters.get('boundary')
  if (boundary === undefined || boundary === '') {
    throw malformed('the Content-Type names no boundary')
  }
  return boundary
}

/** The bytes between a delimiter and the content of its part. */
function readHeaders(head: string) {
  const [padding = '', ...lines] = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  if (padding.trim() !== '') throw malformed()
  const read = (name: string) => {
    const line = lines.find((each) => each.toLowerCase().startsWith(`${name}:`))
    return line === undefined ? undefined : readParameters(line.slice(name.length + 1))
  }
  const disposition = read('content-disposition')
  return {
    isField: disposition?.value === 'form-data',
    name: disposition?.parameters.get('name'),
    mime: read('content-type')?.value || 'text/plain',
  }
}

async function readSmallValue(pieces: AsyncIterable<Buffer>): Promise<string> {
  const gathered: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > partHeaderBytes) throw malformed()
    gathered.push(piece)
  }
  return Buffer.concat(gathered).toString()
}

/** Reads pieces so that leaving a loop over them does not end them: they have no `return`. */
function leavable(pieces: AsyncIterator<Buffer, void>): AsyncIterable<Buffer> {
  return { [Symbol.asyncIterator]: () => ({ next: () => pieces.next() }) }
}

function malformed(reason = 'the form data is malformed or cut off'): Failure {
  return failAt('REQUEST_INVALID', [{ path: [], reason }])
}

/**
 * Reads a header such as `form-data; name="title"`. What cannot be read, and all that follows it, is
 * left out.
 * @returns its value in lowercase, and the parameters by their names in lowercase
 */
function readParameters(header: string): {
  value: string
  parameters: Map<string, string>
} {
  const [value = ''] = header.split(';', 1)
  const parameters = new Map<string, string>()
  parameter.lastIndex = value.length
  for (let match = parameter.exec(header); match !== null; match = parameter.exec(header)) {
    const [, name = '', quoted, token = ''] = match
    // Browsers escape the quote as %22 and leave a backslash alone.
    parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(["\\])/g, '$1') ?? token)
  }
  return { value: value.trim().toLowerCase(), parameters }
}

/** Reads a stream of bytes from delimiter to delimiter, without copying what lies between. */
class DelimitedBytes {
  readonly #source: AsyncIterator<Buffer>
  readonly #cutOff: () => Error
  #held: Buffer

  /** `head` is read before the source, and what `cutOff` makes is thrown when that ends too early. */
  constructor(
    source: AsyncIterable<Buffer>,
    { head, cutOff }: { head: string; cutOff: () => Error },
  ) {
    this.#source = source[Symbol.asyncIterator]()
    this.#cutOff = cutOff
    this.#held = Buffer.from(head)
  }

  /** The bytes before the next delimiter, which is passed over. */
  async *upTo(delimiter: Buffer): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const held = this.#held
      const at = find(delimiter, held)
      if (at !== -1) {
        this.#held = held.subarray(at + delimiter.length)
        if (at > 0) yield held.subarray(0, at)
        return
      }
      // Where the delimiter may have begun.
      const begun = held.indexOf(delimiter[0]!, Math.max(0, held.length - delimiter.length + 1))
      const passed = begun === -1 ? held.length : begun
      this.#held = held.subarray(passed)
      if (passed > 0) yield held.subarray(0, passed)
      await this.#readMore()
    }
  }

  /** Whether the next bytes are these; they stay. */
  async startsWith(expected: Buffer): Promise<boolean> {
    while (this.#held.length < expected.length) await this.#readMore()
    return this.#held.subarray(0, expected.length).equals(expected)
  }

  async #readMore(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done === true) throw this.#cutOff()
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value])
  }
}

/**
 * Node looks for up to 7 bytes by the processor's own search for the first of them, which is ten times
 * as fast as what it does for more (`stringsearch` in Node's sources).
 */
const quicklyFound = 7

function find(delimiter: Buffer, bytes: Buffer): number {
  const beginning = delimiter.subarray(0, quicklyFound)
  for (let at = bytes.indexOf(beginning); at !== -1; at = bytes.indexOf(beginning, at + 1)) {
    if (bytes.subarray(at, at + delimiter.length).equals(delimiter)) return at
  }
  return -1
}
