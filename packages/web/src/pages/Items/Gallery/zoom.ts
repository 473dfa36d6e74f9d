/** How a picture lies on its stage: enlarged so many times over its fit, its middle so many pixels off. */
export type Zoom = { scale: number; x: number; y: number }
export type Point = { x: number; y: number }
export type Size = { width: number; height: number }

export const fit: Zoom = { scale: 1, x: 0, y: 0 }
const greatest = 16

/** Enlarges about a point, counted from the middle of the stage, which stays where it is. */
export function enlarged({ scale, x, y }: Zoom, factor: number, at: Point): Zoom {
  const next = clamped(scale * factor, 1, greatest)
  const ratio = next / scale
  return { scale: next, x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio }
}

export function moved({ scale, x, y }: Zoom, by: Point): Zoom {
  return { scale, x: x + by.x, y: y + by.y }
}

/** Keeps the picture from leaving the stage: what fits is in the middle. */
export function held({ scale, x, y }: Zoom, picture: Size, stage: Size): Zoom {
  const [beyondX, beyondY] = [
    Math.max(0, (picture.width * scale - stage.width) / 2),
    Math.max(0, (picture.height * scale - stage.height) / 2),
  ]
  return { scale, x: clamped(x, -beyondX, beyondX), y: clamped(y, -beyondY, beyondY) }
}

function clamped(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
