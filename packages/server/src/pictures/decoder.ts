import { limits } from '@vitrine/contract'
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { fail } from '../failure.ts'

/** What libvips may read. Its other loaders, such as those of SVG and PDF, never see a byte of a value. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff']

/** Formats that are drawn rather than taken, where every pixel may count. */
const drawn: readonly unknown[] = ['png', 'gif']

/** The most bytes that a picture may have unpacked: 100 megapixels of four bytes. */
const unpackedMax = limits.picturedPixels * 4

/** Seconds; what takes longer was made to. */
const timeMax = 30

/** Makes small pictures of the bytes of large ones. */
export type Decoder = {
  /**
   * Reads the head of a picture; returns how many bytes it has unpacked.
   * @throws Failure PICTURE_UNREADABLE, PICTURE_TOO_LARGE
   */
  measure: (bytes: Uint8Array) => Promise<number>
  /**
   * Makes a picture of at most so many pixels on either side, upright, and with nothing in it that is not
   * seen, such as the place where it was taken.
   * @throws Failure PICTURE_UNREADABLE
   */
  shrink: (bytes: Uint8Array, width: number) => Promise<Buffer>
}

/** Loads what decodes pictures; returns the error where there is none for this machine. */
export async function loadDecoder(): Promise<Decoder | Error> {
  try {
    const { default: sharp } = await import('sharp')
    sharp.cache(false)
    // One thread a picture: how many are made at once says how many threads there are.
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: loaders.map((loader) => `VipsForeignLoad${loader}Buffer`) })
    return decoderOf(sharp)
  } catch (error) {
    return error as Error
  }
}

function decoderOf(sharp: (bytes: Uint8Array, options: SharpOptions) => Sharp): Decoder {
  // `measure` bounds the pixels, by a refusal of its own. Warnings are of what cameras write every day.
  const options: SharpOptions = { limitInputPixels: false, failOn: 'error', autoOrient: true }
  return {
    measure: async (bytes) => {
      const { width, height, channels, depth } = await readable(() =>
        sharp(bytes, options).metadata(),
      )
      const unpacked = width * height * channels * bytesOf(depth)
      const isTooLarge = width * height > limits.picturedPixels || unpacked > unpackedMax
      if (isTooLarge) throw fail('PICTURE_TOO_LARGE')
      return unpacked
    },
    shrink: async (bytes, longest) => {
      const { format, width, height } = await readable(() => sharp(bytes, options).metadata())
      const isExact = drawn.includes(format) && Math.max(width, height) <= longest
      return readable(() =>
        sharp(bytes, options)
          .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
          .webp(isExact ? { lossless: true } : { quality: 80 })
          .timeout({ seconds: timeMax })
          .toBuffer(),
      )
    },
  }
}

/** What libvips says of bytes is for those who know them; it may quote what is in them. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch {
    throw fail('PICTURE_UNREADABLE')
  }
}

/** Of one sample of a pixel. */
function bytesOf(depth: Metadata['depth']): number {
  if (depth === 'uchar' || depth === 'char') return 1
  return depth === 'ushort' || depth === 'short' ? 2 : 8
}
