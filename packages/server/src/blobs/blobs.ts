import type { Readable } from 'node:stream'

/** Bytes that were received and hashed, and are not visible yet. */
export type ReceivedBlob = {
  /** Lowercase hex. */
  sha256: string
  /** Bytes. */
  size: number
  /**
   * Makes sure that the bytes are durably under their digest; may be repeated. What is there already is
   * replaced where it is known or found to be damaged.
   * @returns whether it replaced something
   */
  publish: (there?: { isDamaged: boolean }) => Promise<boolean>
  /** Frees what `receive` took; nothing published is touched. */
  discard: () => Promise<void>
}

/** Bytes by their digest, in lowercase hex, and how many they are. */
export type Bytes = { sha256: string; size: number }

/** Bytes `start` to `end`, both included (RFC 9110 §14.1.2). */
export type ByteRange = { start: number; end: number }

/** The installation whose bytes a store keeps, by its id. */
export type BlobOwner = {
  /** Returns undefined while there is none. */
  read: () => Promise<string | undefined>
  /** Writes the id unless there is one; returns the one that is there from then on. */
  claim: (installation: string) => Promise<string>
  replace: (installation: string) => Promise<void>
}

/** Size and root of a log that was signed. */
export type CheckpointState = {
  size: number
  /** In lowercase hexadecimal. */
  root: string
}

/**
 * The last state of each log that was signed. It stands beside the blobs and not in the database, so that a database
 * that was restored from a backup does not sign what contradicts it (docs/decisions/blobs.md).
 */
export type CheckpointStore = {
  /** Whether there is a place for them; else it was never created, or is lost. */
  isThere: () => Promise<boolean>
  create: () => Promise<void>
  /** Reads the last state of a log, by the generation of its repository. */
  find: (log: string) => Promise<CheckpointRecord | undefined>
  /**
   * Puts a state in the place of another; durable when it returns.
   * @param before the state that was read; undefined where there was none
   * @returns false, and changes nothing, where another process was faster
   */
  replace: (
    log: string,
    before: CheckpointRecord | undefined,
    state: CheckpointState,
  ) => Promise<boolean>
}

/** A state as the store has it. */
export type CheckpointRecord = CheckpointState & {
  /** Name of the state there, or of its bytes. */
  version: string
}

/** A blob in the trash, by the UTC day on which it was put there, such as `2026-11-22`. */
export type TrashedBlob = Bytes & { day: string }

export const dayPattern = /^\d{4}-\d{2}-\d{2}$/
export const digestPattern = /^[0-9a-f]{64}$/

/** Removed blobs, kept for a while. */
export type BlobTrash = {
  /** Moves a blob to the trash; does nothing where its bytes are gone already. */
  put: (blob: Bytes, day: string) => Promise<void>
  /** Returns the days of which there is something, the oldest first. */
  days: () => Promise<string[]>
  list: (day: string) => AsyncIterable<TrashedBlob>
  open: (trashed: TrashedBlob) => Promise<Readable>
  /** Moves a blob back under its digest, in the place of what may be there. */
  restore: (trashed: TrashedBlob) => Promise<void>
  /** Removes for good what was put there on a day. */
  removeDay: (day: string) => Promise<void>
}

/** A store of bytes by their sha256. */
export type Blobs = {
  owner: BlobOwner
  health: BlobHealth
  trash: BlobTrash
  checkpoints: CheckpointStore
  /**
   * Refuses when there is no room for `bytes` more of whatever kind.
   * @throws Failure STORAGE_FULL
   */
  requireRoom: (bytes: number) => Promise<void>
  /**
   * Streams to a temporary place while hashing; memory stays flat whatever the size.
   * @throws Failure CONTENT_TOO_LARGE at the byte past `maxBytes`, STORAGE_FULL
   */
  receive: (source: AsyncIterable<Uint8Array>, limit: { maxBytes: number }) => Promise<ReceivedBlob>
  /**
   * Reads a blob, or a range of it, and never more than that. Its size is compared before; where it is cut
   * short while it is read, reading fails.
   * @throws DamagedBlob
   */
  open: (bytes: Bytes, range?: ByteRange) => Promise<Readable>
  /** Asks the store for next to nothing; rejects with the reason when it cannot be used. */
  ping: () => Promise<void>
  /** Removes bytes for good; `trash.put` keeps them for a while. */
  remove: (sha256: string) => Promise<void>
  /**
   * Removes what processes that are gone received and never discarded, as far as nothing was written
   * to it for so long. Zero is for a process that is alone.
   */
  removeUnpublished: (age: { olderThanMs: number }) => Promise<void>
  /** Lists every blob, for collection and checks. */
  list: () => AsyncIterable<Bytes>
}

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
