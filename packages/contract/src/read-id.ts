/** Why digits are not taken that are no id. */
export const noId = 'must be the id of an item in decimal digits, without leading zeros'

/** Canonical digits only: `7`, `07` and `7.0` would be one reference with three digests. */
export function readId(digits: string): number | undefined {
  const id = Number(digits)
  const isId = /^[1-9][0-9]{0,15}$/.test(digits) && id <= Number.MAX_SAFE_INTEGER
  return isId ? id : undefined
}
