const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Whole lines of a file as text, up to the first one, counted from 0, that is not valid UTF-8. */
export type DecodedBlock = { text: string; invalidLine?: number }

/** @param endOfLine finds where the line ends that begins at a place */
export function decodeBlock(
  bytes: Uint8Array,
  endOfLine: (bytes: Uint8Array, from: number) => number,
): DecodedBlock {
  const text = decode(bytes)
  if (text !== undefined) return { text }
  // A line break is no part of any other character in UTF-8 (RFC 3629 §3).
  for (let from = 0, line = 0; ; line += 1) {
    const to = endOfLine(bytes, from)
    if (decode(bytes.subarray(from, to)) === undefined) {
      return { text: utf8.decode(bytes.subarray(0, from)), invalidLine: line }
    }
    from = to
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
