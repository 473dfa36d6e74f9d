import type { Readable } from 'node:stream'

/** Bytes that were received and hashed, and that nobody can see yet. */
export type ReceivedBlob = {
  /** Lowercase hex. */
  sha256: string
  /** Bytes. */
  size: number
  /** Makes sure that the bytes are durably under their digest; may be repeated. */
  publish: () => Promise<void>
  /** Frees what `receive` took; nothing published is touched. */
  discard: () => Promise<void>
}

/** Bytes `start` to `end`, both included (RFC 9110 §14.1.2). */
export type ByteRange = { start: number; end: number }

/** A store of bytes by their sha256. */
export type Blobs = {
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
  open: (sha256: string, range?: ByteRange) => Promise<Readable>
  remove: (sha256: string) => Promise<void>
  /**
   * Removes what processes that are gone received and never discarded, as far as nothing was written
   * to it for so long. Zero is for a process that is alone.
   */
  removeUnpublished: (age: { olderThanMs: number }) => Promise<void>
  /** Every blob there is, for collection and checks; `modifiedAt` in milliseconds since 1970. */
  list: () => AsyncIterable<{ sha256: string; size: number; modifiedAt: number }>
}
