/** Of a sha256 in an item's digests; zeros stand for that of a value that is absent. */
export const digestBytes = 32
