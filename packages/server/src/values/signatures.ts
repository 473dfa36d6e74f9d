/** First bytes that tell a media type (https://mimesniff.spec.whatwg.org, §6). */
const signatures: Record<string, (head: Buffer) => boolean> = {
  'image/png': (head) => head.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n',
  'image/jpeg': (head) => head.subarray(0, 3).toString('latin1') === '\xff\xd8\xff',
  'image/gif': (head) => /^GIF8[79]a$/.test(head.subarray(0, 6).toString('latin1')),
  'image/webp': (head) =>
    head.subarray(0, 4).toString('latin1') === 'RIFF' &&
    head.subarray(8, 12).toString('latin1') === 'WEBP',
  'application/pdf': (head) => head.subarray(0, 5).toString('latin1') === '%PDF-',
}

/** How many bytes the longest signature needs. */
export const signatureBytes = 12

/** The media type that the first bytes of a value tell, where they tell one. */
export function mimeOfHead(head: Buffer): string | undefined {
  return Object.entries(signatures).find(([, matches]) => matches(head))?.[0]
}

/** Whether the first bytes of a value belie the media type that it is said to have. */
export function beliesMime(head: Buffer, mime: string): boolean {
  const matches = signatures[mime]
  return matches !== undefined && !matches(head)
}
