/** Stands in an item's digests for a value that is absent. */
export const noDigest = '0'.repeat(64)
