import {
  type IntegrityByField,
  type ItemValue,
  api,
  integrityPart,
  toHex,
  valueBytes,
} from '@vitrine/contract'
import type { Client } from '../call/client.ts'
import { usualRetries, withRetries } from '../call/retry.ts'
import { callUrl } from '../call/send.ts'
import { type Sha256, sha256 as usualSha256 } from '../sha256.ts'
import { type Upload, uploadForm } from './upload-form.ts'

/**
 * A value to add: a text, a number, a truth value, the id of an item, JSON, or the bytes of a file. Text is
 * sent as it is: of a JSON field, text is JSON (`canonicalJson`).
 */
export type NewValue = ItemValue | Blob

/** The three steps of an insert (docs/glossary.md). */
export type AddItemStep = 'initialize' | 'upload' | 'commit'

export type AddItemProgress =
  | { step: 'initialize' }
  /** Bytes hashed and sent so far, of `totalBytes` for the whole form. */
  | { step: 'upload'; hashedBytes: number; sentBytes: number; totalBytes: number }
  /** About to be sent: the same commit again changes nothing, and tells what became of this one. */
  | { step: 'commit'; id: number; integrity: IntegrityByField }

export type AddItemOptions = {
  onProgress?: ((progress: AddItemProgress) => void) | undefined
  signal?: AbortSignal | undefined
  /** How to hash; by default in pieces in Node, and by WebCrypto, one whole value at a time, elsewhere. */
  sha256?: Sha256 | undefined
  /** How to send the form. */
  upload?: Upload | undefined
  /**
   * Whether the server takes an item in one request, as it announces by `add-item`. Values of more than 1 MiB go in
   * three steps all the same: what is large is hashed while it is sent, and told of meanwhile.
   */
  oneRequest?: boolean | undefined
}

/** The most bytes of values that go in one request. */
const oneRequestMax = 1024 * 1024

/**
 * Adds an item in the three steps of an insert: initialize, upload, commit with the sha256 of every
 * value. Hashing and sending run side by side. With `oneRequest`, small values go in a single one.
 *
 * @returns the id of the new item
 * @throws ApiError when a step is refused; nothing is visible until the commit succeeded
 */
export async function addItem(
  client: Client,
  repo: string,
  values: Record<string, NewValue>,
  options: AddItemOptions = {},
): Promise<number> {
  const blobs = toBlobs(values)
  if (options.oneRequest === true && bytesOf(blobs) <= oneRequestMax) {
    return addAtOnce(client, repo, blobs, options)
  }
  const begin = () => client.insertBegin({ datasetId: repo }, { signal: options.signal })
  return insertItem(client, repo, { begin, blobs }, options)
}

/** The values of an item to add, by their fields. */
type Blobs = readonly (readonly [field: string, Blob])[]

export const toBlobs = (values: Record<string, NewValue>): Blobs =>
  Object.entries(values).map(([name, value]) => [name, toBlob(value)] as const)

const bytesOf = (blobs: Blobs) => blobs.reduce((sum, [, blob]) => sum + blob.size, 0)

/**
 * Takes the three steps of an insert that `begin` begins.
 * @param kept digests of values that the insert has from its beginning
 */
export async function insertItem(
  client: Client,
  repo: string,
  {
    begin,
    blobs,
    kept = {},
  }: { begin: () => Promise<{ id: number }>; blobs: Blobs; kept?: IntegrityByField },
  {
    onProgress,
    signal,
    sha256 = usualSha256,
    upload = uploadForm,
  }: Omit<AddItemOptions, 'oneRequest'>,
): Promise<number> {
  const totalBytes = bytesOf(blobs)
  onProgress?.({ step: 'initialize' })
  const { id } = await begin()

  const progress = { step: 'upload' as const, hashedBytes: 0, sentBytes: 0, totalBytes }
  onProgress?.({ ...progress })
  const sending = new AbortController()
  const both = AbortSignal.any([sending.signal, ...(signal === undefined ? [] : [signal])])
  let hashedBefore = 0
  const hashing = async () => {
    const integrity: IntegrityByField = { ...kept }
    for (const [name, blob] of blobs) {
      const digest = await sha256(blob, {
        signal: both,
        onProgress: (bytes) => {
          progress.hashedBytes = hashedBefore + bytes
          onProgress?.({ ...progress })
        },
      })
      hashedBefore += blob.size
      integrity[name] = { sha256: digest }
    }
    return integrity
  }
  const call = api.insertUpload
  const { retries = usualRetries } = client.options
  const send = () =>
    upload(client, {
      call,
      url: callUrl(client.options, call, { datasetId: repo, itemId: id }),
      form: toForm(blobs),
      signal: both,
      onProgress: (bytes) => {
        progress.sentBytes = Math.min(bytes, progress.totalBytes)
        onProgress?.({ ...progress })
      },
    })
  try {
    const [integrity] = await Promise.all([
      hashing(),
      // What is uploaded again takes the place of what was uploaded before.
      blobs.length > 0 && withRetries(send, { call, retries, resendable: true, signal: both }),
    ])
    onProgress?.({ step: 'commit', id, integrity })
    const committed = await client.insertCommit(
      { datasetId: repo, itemId: id, body: { integrity } },
      { signal },
    )
    return committed.id
  } finally {
    sending.abort()
  }
}

/** Adds an item in one request; the same again after a lost reply is the same item. */
async function addAtOnce(
  client: Client,
  repo: string,
  blobs: Blobs,
  { signal, sha256 = usualSha256 }: AddItemOptions,
): Promise<number> {
  const integrity: IntegrityByField = {}
  for (const [name, blob] of blobs) {
    integrity[name] = { sha256: await sha256(blob, { signal, onProgress: () => {} }) }
  }
  const body = toForm(blobs)
  body.append(integrityPart, new Blob([JSON.stringify(integrity)], { type: 'application/json' }))
  const key = toHex(crypto.getRandomValues(new Uint8Array(16)))
  const { id } = await client.itemAdd({ datasetId: repo, key, body }, { signal })
  return id
}

/**
 * Every value travels as a Blob part: a form's text parts have their line breaks rewritten to CRLF
 * (WHATWG HTML, "multipart/form-data encoding algorithm"), and the digest would not match.
 */
function toBlob(value: NewValue): Blob {
  return value instanceof Blob ? value : new Blob([valueBytes(value)], { type: 'text/plain' })
}

function toForm(blobs: Blobs): FormData {
  const form = new FormData()
  for (const [name, blob] of blobs) form.append(name, blob)
  return form
}
