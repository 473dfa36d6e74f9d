/** An ISO 8601 moment of the years from 0 to 9999, with quotes around it. */
export const momentBytes = '"2026-01-01T00:00:00.000Z"'.length

/** Moments in ISO 8601 as bytes, without quotes; those that were imported together share one. */
export function rememberMoments(): (milliseconds: number) => Uint8Array {
  let last = Number.NaN
  let bytes: Uint8Array = Buffer.alloc(0)
  return (milliseconds) => {
    if (milliseconds !== last) {
      last = milliseconds
      bytes = Buffer.from(new Date(milliseconds).toISOString())
    }
    return bytes
  }
}
