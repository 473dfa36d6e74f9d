/** What a process knows of the state of its blobs; read when metrics are asked for. */
export type BlobHealth = {
  /** Orphans that a collection left alone, as they were suspiciously many. */
  withheldOrphans: number
}

export function createBlobHealth(): BlobHealth {
  return { withheldOrphans: 0 }
}
