import * as z from 'zod/mini'

/** Lengths of the longer side that a small picture can be asked for with, in pixels. */
export const pictureWidths = [96, 256, 512, 1024] as const
export type PictureWidth = (typeof pictureWidths)[number]

/** The media types of values that small pictures are made of; none of them holds a program, as SVG may. */
export const picturedTypes: readonly string[] = [
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
]

/** The media type of every small picture. */
export const pictureType = 'image/webp'

const texts = pictureWidths.map(String)
const isWidth = z.enum(texts, `must be one of ${texts.join(', ')}`).register(z.globalRegistry, {
  description: 'The most pixels of either side; a picture that is smaller is not enlarged',
})

/** Asks for a small picture. */
export const pictureQuery = z.strictObject({
  width: z.pipe(
    isWidth,
    z.transform((text) => Number(text) as PictureWidth),
  ),
})
