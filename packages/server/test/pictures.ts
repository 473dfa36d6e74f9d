import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A photograph as a camera takes it: no two pixels alike. */
export async function photograph({
  width,
  height,
  orientation,
}: {
  width: number
  height: number
  /** Orientation by EXIF; 6 is a camera held upright, whose left is the top. */
  orientation?: number
}): Promise<Buffer<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const create = { width, height, channels: 3, background: '#808080', noise } as const
  const picture = sharp({ create }).withExif({ IFD0: { Artist: 'Ada Lovelace' } })
  if (orientation !== undefined) picture.withMetadata({ orientation })
  return Buffer.from(await picture.jpeg({ quality: 95 }).toBuffer())
}

/** A PNG of so many white pixels, which take next to nothing. */
export function blankPng(width: number, height: number): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // One bit a pixel.
  head[8] = 1
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const chunks = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND')]
  return Buffer.concat([signature, ...chunks])
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
