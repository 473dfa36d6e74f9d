import type { Readable } from 'node:stream'
import type { SchemaField } from '@vitrine/contract'
import type { Blobs, ReceivedBlob } from '../blobs/blobs.ts'
import type { StoredValue } from '../store/items.ts'
import { conformBinary } from '../values/conform-binary.ts'
import { conformReference } from './conform-reference.ts'
import { conformString } from './conform-string.ts'

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

/**
 * Takes in a value while checking it against its field. Where it does not conform, its bytes may be
 * left unread.
 * @throws Failure CONTENT_TOO_LARGE, STORAGE_FULL, and whatever reading the bytes fails with
 */
export function conform(
  field: SchemaField,
  sent: Pick<SentValue, 'mime' | 'bytes'>,
  into: { blobs: Blobs; maxBytes: number },
): Promise<Conformed> {
  switch (field.type) {
    case 'string':
      return conformString(field, sent.bytes)
    case 'reference':
      return conformReference(sent.bytes)
    case 'binary':
      return conformBinary(field, sent, into)
  }
}
