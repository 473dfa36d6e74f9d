import type { Readable } from 'node:stream'
import type { ReceivedBlob } from '../blobs/blobs.ts'
import type { StoredValue } from '../store/items.ts'

/** One value on its way in. */
export type SentValue = {
  name: string
  /** The media type that the sender names; undefined where it names none. */
  mime: string | undefined
  bytes: Readable
}

/** A value that conforms to its field, or the reason why it does not. */
export type Conformed =
  { ok: true; value: StoredValue; blob?: ReceivedBlob } | { ok: false; reason: string }
