import { encodingOf } from '@vitrine/contract/text/encoding'
import { UnreadableFile } from '../row-batch.ts'

/** How sure the detection has to be, of 100; less is the most usual one. */
const confidenceMin = 40
const usual = 'windows-1252'

/**
 * Detects the encoding of a text by its first bytes, to propose it to somebody who sees the text; undefined where they
 * are UTF-8. The detection is 300 KB, and loaded only where they are not.
 */
export async function detectEncoding(head: Uint8Array): Promise<string | undefined> {
  const marked = markedEncoding(head)
  if (marked !== undefined) return marked === 'utf-8' ? undefined : marked
  // Every other byte of most texts in UTF-16 is 0, and none of other texts.
  const zero = head.subarray(0, 64).indexOf(0)
  if (zero !== -1) return zero % 2 === 0 ? 'utf-16be' : 'utf-16le'
  if (isUtf8(head)) return undefined
  const { analyse } = await import('chardet')
  for (const { name, confidence } of analyse(head)) {
    const encoding = encodingOf(name)
    if (confidence < confidenceMin) return usual
    if (encoding !== undefined && encoding !== 'utf-8') return encoding
  }
  return usual
}

/** Whether bytes are UTF-8, the last character aside, which may be cut off. */
function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Encodings that have U+FFFD itself, so that it tells nothing of what was read. */
const withReplacement = ['utf-16le', 'utf-16be', 'gb18030']

/** Byte order marks (https://encoding.spec.whatwg.org/#bom-sniff). */
const marks: readonly [bytes: readonly number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** Encoding that the first bytes of a file say by a byte order mark. */
export function markedEncoding(head: Uint8Array): string | undefined {
  return marks.find(([bytes]) => bytes.every((byte, at) => head[at] === byte))?.[1]
}

/**
 * Reads text in another encoding as UTF-8, without a byte order mark.
 * @throws UnreadableFile where it is not in that encoding
 */
export async function* toUtf8(
  text: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder(encoding)
  const strict = withReplacement.includes(encoding)
    ? new TextDecoder(encoding, { fatal: true })
    : undefined
  let head: Uint8Array = new Uint8Array()
  let lines = 0
  const decode = (bytes?: Uint8Array): string => {
    const decoded = decoder.decode(bytes, { stream: bytes !== undefined })
    const at = decoded.indexOf('\ufffd')
    if (at !== -1 && !isValid(strict, bytes)) {
      // In a piece that has the character itself, this may be its line.
      const line = 1 + lines + countLines(decoded.slice(0, at))
      throw new UnreadableFile(`is not valid ${encoding}`, { place: `Line ${line}` })
    }
    if (at === -1) isValid(strict, bytes)
    lines += countLines(decoded)
    return decoded
  }
  for await (const bytes of text) {
    if (head.length < 3) {
      head = Uint8Array.of(...head, ...bytes.subarray(0, 3))
      const marked = markedEncoding(head)
      if (marked !== undefined && marked !== encoding) {
        throw new UnreadableFile(`begins with the byte order mark of ${marked}, not of ${encoding}`)
      }
    }
    const decoded = decode(bytes)
    if (decoded !== '') yield encoder.encode(decoded)
  }
  const end = decode()
  if (end !== '') yield encoder.encode(end)
}

/** Whether a strict decoder takes the next bytes; false where there is none. */
function isValid(strict: TextDecoder | undefined, bytes: Uint8Array | undefined): boolean {
  if (strict === undefined) return false
  try {
    strict.decode(bytes, { stream: bytes !== undefined })
    return true
  } catch {
    return false
  }
}

/** Line breaks: LF, CRLF, or CR alone. */
function countLines(text: string): number {
  return text.match(/\r\n|[\r\n]/g)?.length ?? 0
}
