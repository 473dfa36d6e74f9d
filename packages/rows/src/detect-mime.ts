/** How many of the first bytes of a value are looked at. */
export const mimeHeadBytes = 4100

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/**
 * Detects the media type of a value by its first bytes; undefined where they tell none. The detection is loaded where
 * there are bytes.
 */
export async function detectMime(head: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(head)
  // Whether it is animated stands behind a profile of colours, which may be longer than the head.
  if (type === undefined && png.every((byte, at) => head[at] === byte)) return 'image/png'
  return type?.mime.split(';')[0]
}
