export const datasetNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/
export const datasetNameReason =
  'must be 1 to 128 letters, digits, dots, underscores or hyphens, beginning with a letter or digit'

/** Why digits are not taken that are no id. */
export const noId = 'must be the id of an item in decimal digits, without leading zeros'

/** Canonical digits only: `7`, `07` and `7.0` would be one reference with three digests. */
export function readId(digits: string): number | undefined {
  const id = Number(digits)
  const isId = /^[1-9][0-9]{0,15}$/.test(digits) && id <= Number.MAX_SAFE_INTEGER
  return isId ? id : undefined
}
