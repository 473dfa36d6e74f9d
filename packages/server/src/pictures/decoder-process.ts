import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import {
  memoryExceeded,
  pictureMemory,
  type DecoderReply,
  type DecoderTask,
} from './decoder-protocol.ts'

// A process of `decoder.ts`: it opens one picture after the other, and makes a small one of each.

/** Loaders that libvips may use. Its others, such as those of SVG and PDF, never see a byte of a value. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff']

/** Formats that are drawn rather than taken, where every pixel may count. */
const drawn: readonly unknown[] = ['png', 'gif']

/** Seconds; what takes longer was made to. */
const timeMax = 30

/** Bytes of memory that this process may have, and pixels that a picture may have. */
const [memoryMax, pixelsMax] = process.argv.slice(2).map(Number) as [number, number]
/** Milliseconds between two looks at its memory. */
const memoryEveryMs = 10

sharp.cache(false)
// One thread a picture: how many are made at once says how many threads there are.
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders.map((loader) => `VipsForeignLoad${loader}Buffer`) })

// Pixels are bounded by a refusal of our own. Warnings are of what cameras write every day.
const options: SharpOptions = { limitInputPixels: false, failOn: 'error', autoOrient: true }

let bytes: Uint8Array = new Uint8Array()

process.on('message', (task: DecoderTask) => {
  void run(task).then((reply) => process.send!(reply))
})
process.on('disconnect', () => process.exit())

async function run(task: DecoderTask): Promise<DecoderReply> {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > memoryMax) process.exit(memoryExceeded)
  }, memoryEveryMs)
  try {
    if (task.kind === 'shrink') return { kind: 'shrink', picture: await shrink(task.width) }
    bytes = task.bytes
    const metadata = await open().metadata()
    const memory = memoryOf(metadata)
    const isTooLarge = metadata.width * metadata.height > pixelsMax || memory > pictureMemory
    return isTooLarge ? { kind: 'refused', code: 'PICTURE_TOO_LARGE' } : { kind: 'open', memory }
  } catch {
    // What libvips says of bytes is for those who know them; it may quote what is in them.
    return { kind: 'refused', code: 'PICTURE_UNREADABLE' }
  } finally {
    clearInterval(watch)
  }
}

function open(): Sharp {
  return sharp(bytes, options)
}

/** Returns how many bytes of memory a picture takes at most, by its format (docs/performance.md). */
function memoryOf({ format, width, height, channels, depth }: Metadata): number {
  const pixels = width * height
  // A picture of AVIF is whole in memory, several times over, whatever its channels are.
  if (format === 'heif') return pixels * (bytesOf(depth) === 1 ? 19 : 26)
  return 1.4 * pixels * channels * bytesOf(depth)
}

async function shrink(longest: number): Promise<Uint8Array> {
  const { format, width, height } = await open().metadata()
  const isExact = drawn.includes(format) && Math.max(width, height) <= longest
  return open()
    .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
    .webp(isExact ? { lossless: true } : { quality: 80 })
    .timeout({ seconds: timeMax })
    .toBuffer()
}

/** Returns the bytes of one sample of a pixel. */
function bytesOf(depth: Metadata['depth']): number {
  if (depth === 'uchar' || depth === 'char') return 1
  return depth === 'ushort' || depth === 'short' ? 2 : 8
}
