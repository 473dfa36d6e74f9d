/** Bytes of a sha256 in an item's digests; zeros stand for that of a value that is absent. */
export const digestBytes = 32

/** The digest of a value that is absent, in hexadecimal. */
export const noDigest = '0'.repeat(2 * digestBytes)
