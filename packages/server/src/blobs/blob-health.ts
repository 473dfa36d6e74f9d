/** Counts of a process about its blobs, for metrics. */
export type BlobHealth = {
  /** Orphans that the last collection left alone, as they were suspiciously many. */
  withheldOrphans: number
  /** Blobs and values in rows whose damage is noted, when it was last counted. */
  damaged: number
  /** Damaged blobs that right bytes took the place of, since the start. */
  healed: number
}

export function createBlobHealth(): BlobHealth {
  return { withheldOrphans: 0, damaged: 0, healed: 0 }
}
