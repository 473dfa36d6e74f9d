/** Byte order marks (https://encoding.spec.whatwg.org/#bom-sniff), which go before what is declared. */
const marks: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
]

/**
 * Decodes bytes by their mark, or the charset that their media type declares, or else as UTF-8. What is no
 * text in it becomes U+FFFD; a character that is cut off at the end is left out where more bytes follow.
 */
export function decodeText(
  bytes: Uint8Array,
  { mediaType = '', isWhole }: { mediaType?: string; isWhole: boolean },
): string {
  const marked = marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1]
  const declared = /;\s*charset="?([\w.:-]+)/i.exec(mediaType)?.[1]
  return decoderOf(marked ?? declared).decode(bytes, { stream: !isWhole })
}

function decoderOf(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
