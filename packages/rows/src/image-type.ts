const signatures: readonly { mime: string; at: number; bytes: readonly number[] }[] = [
  { mime: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47] },
  { mime: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { mime: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { mime: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
]

/** The media type of an image by its first bytes; undefined for anything else. */
export function imageType(value: Uint8Array): string | undefined {
  return signatures.find(({ at, bytes }) =>
    bytes.every((byte, index) => value[at + index] === byte),
  )?.mime
}
