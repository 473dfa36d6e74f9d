import { isUtf8 } from 'node:buffer'

/** Bytes of a text file as text, or the line, counted from 0, that is not UTF-8. */
export function decodeBlock(
  bytes: Uint8Array,
): { ok: true; text: string } | { ok: false; line: number; before: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isUtf8(buffer)) return { ok: true, text: buffer.toString('utf8') }
  // A line break is no part of any other character in UTF-8 (RFC 3629 §3).
  for (let from = 0, line = 0; ; line += 1) {
    const end = buffer.indexOf(0x0a, from)
    const to = end === -1 ? buffer.length : end
    if (!isUtf8(buffer.subarray(from, to))) {
      return { ok: false, line, before: buffer.toString('latin1', 0, from) }
    }
    from = to + 1
  }
}
