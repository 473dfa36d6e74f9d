import { UnreadableFile } from './row-batch.ts'

/** Both begin alike, as Compound File Binary ([MS-CFB] §2.2). */
const oldWorkbook =
  'is a workbook of before 2007 (.xls), or has a password: save it as .xlsx without one'

/** How files begin that are no text in UTF-8. */
const beginnings: [bytes: readonly number[], reason: string][] = [
  [[0xff, 0xfe], 'is text in UTF-16: say so by its encoding, utf-16le'],
  [[0xfe, 0xff], 'is text in UTF-16: say so by its encoding, utf-16be'],
  [[0x1f, 0x8b], 'is compressed by gzip, and must be sent unpacked'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'is compressed by zstd, and must be sent unpacked'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a zip archive or a workbook: say so by its format, zip or xlsx'],
  [[0x50, 0x41, 0x52, 0x31], 'is a Parquet file: say so by its format, parquet'],
  [[0x25, 0x50, 0x44, 0x46], 'is a PDF, which has no rows: save its table as CSV or .xlsx'],
  [[0xd0, 0xcf, 0x11, 0xe0], oldWorkbook],
]
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** Returns why a file holds no rows in a format of text, by its first bytes. */
export function notRows(head: Uint8Array): string | undefined {
  return beginnings.find(([bytes]) => bytes.every((byte, at) => head[at] === byte))?.[1]
}

/** How many of the first bytes of a file tell where its text begins. */
export const startBytes = 4

/**
 * Returns where the text of a file begins, by its first bytes.
 * @throws UnreadableFile where it is no text in UTF-8
 */
export function textStart(head: Uint8Array): number {
  const reason = notRows(head)
  if (reason !== undefined) throw new UnreadableFile(reason)
  // No text begins with U+0000 among its first characters, and of UTF-16 every other byte is 0.
  if (head.subarray(0, startBytes).includes(0)) {
    throw new UnreadableFile(
      'is no text, or is text in UTF-16: say so by its encoding, utf-16le or utf-16be',
    )
  }
  return byteOrderMark.every((byte, at) => head[at] === byte) ? byteOrderMark.length : 0
}
