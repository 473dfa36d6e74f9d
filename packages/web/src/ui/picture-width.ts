import { pictureWidths, type PictureWidth } from '@vitrine/contract'

/** The width of the small picture for a place whose longer side has so many CSS pixels, on this screen. */
export function pictureWidth(side: number): PictureWidth {
  const wanted = side * window.devicePixelRatio
  return pictureWidths.find((width) => width >= wanted) ?? pictureWidths.at(-1)!
}
