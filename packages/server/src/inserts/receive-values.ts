import { unknownName, type Problem, type SchemaField } from '@vitrine/contract'
import type { ReceivedBlob } from '../blobs/blobs.ts'
import { failAt } from '../failure.ts'
import type { StoredValue } from '../store/items.ts'
import type { SentBytes, SentValue } from '../values/stored-type.ts'
import { storedTypes } from '../values/stored-types.ts'
import type { InsertContext } from './insert-context.ts'
import { sealOf } from './seal.ts'

/** The values of an upload, before they are visible. */
export type ReceivedValues = {
  values: Map<string, StoredValue>
  /** The bytes of the binary values; the caller discards them in the end. */
  blobs: ReceivedBlob[]
}

export type SentValues = AsyncIterable<SentValue> | Iterable<SentValue>

/**
 * Takes in values one after the other, and says of all that do not conform why.
 * @throws Failure of reading `sent`, and FIELD_NOT_IN_SCHEMA, REQUEST_INVALID, CONTENT_TOO_LARGE,
 *   DATA_NOT_CONFORMING, STORAGE_FULL
 */
export async function receiveValues(
  { blobs, maxUploadBytes }: Pick<InsertContext, 'blobs' | 'maxUploadBytes'>,
  schema: readonly SchemaField[],
  sent: SentValues,
  received: ReceivedValues,
): Promise<void> {
  const fields = new Map(schema.map((field) => [field.name, field]))
  const seen = new Set<string>()
  const problems: Problem[] = []
  let bytesLeft = maxUploadBytes
  for await (const { name, mime, bytes } of sent) {
    const field = fields.get(name)
    if (field === undefined) {
      throw failAt('FIELD_NOT_IN_SCHEMA', [unknownName([name], 'field', name, fields.keys())])
    }
    if (seen.has(name)) {
      throw failAt('REQUEST_INVALID', [{ path: [name], reason: 'is there twice' }])
    }
    seen.add(name)
    const { conform } = storedTypes[field.type]
    const conformed = await conform(field, { mime, bytes }, { blobs, maxBytes: bytesLeft })
    if (conformed.ok) {
      received.values.set(name, conformed.value)
      if (conformed.blob !== undefined) received.blobs.push(conformed.blob)
      bytesLeft -= sealOf(conformed.value).size
    } else {
      problems.push({ path: [name], reason: conformed.reason })
      if (!(await passOver(bytes))) break
    }
  }
  if (problems.length > 0) throw failAt('DATA_NOT_CONFORMING', problems)
}

/** Bytes that are skipped to say what else is wrong with a form. */
const passedOverMax = 1024 ** 2

/** Passes over what is left of a value that is refused, as far as that is worth it; says whether that was all. */
async function passOver(bytes: SentBytes): Promise<boolean> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > passedOverMax) return false
  }
  return true
}
