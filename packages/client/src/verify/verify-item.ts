import {
  type SchemaField,
  type SealedItem,
  type ShownField,
  canonicalText,
  toHex,
} from '@vitrine/contract'
import {
  type Sha256 as Hash,
  leafHash,
  readEntry,
  rootByInclusion,
  sealText,
} from '@vitrine/transparency-log'
import { type Client, openReply } from '../call/client.ts'
import { type ItemProof, fetchItemProof } from './item-proof.ts'
import { type KnownLog, type LogCheck, checkCheckpoint, fromHex } from './known-log.ts'
import type { CallOptions } from '../call/send.ts'
import type { Sha256 } from '../sha256.ts'

export type ItemChecks = {
  /**
   * Checks of the bytes of its values, its entry, the entry's place in the log, the log's signature, and its history.
   */
  checks: LogCheck[]
  /** How many items the log has. */
  size: number | undefined
  /** Log to remember; undefined where a check of the log failed. */
  known: KnownLog | undefined
}

/**
 * Verifies an item of a repository: that its values have their digests, that the log of the repository has
 * it with these, and that this log is signed and goes on from the state that was verified before.
 * @throws ApiError
 */
export async function verifyItem(
  client: Client,
  { repo, itemId }: { repo: string; itemId: number },
  { known, sha256 }: { known: KnownLog | undefined; sha256: Sha256 },
  options: CallOptions = {},
): Promise<ItemChecks> {
  const { signal } = options
  const hash = async (bytes: Uint8Array<ArrayBuffer>) =>
    fromHex(await sha256(new Blob([bytes]), { onProgress: () => {}, signal }))
  const place = { datasetId: repo, itemId }
  const { schema } = await client.datasetGet({ datasetId: repo }, options)
  const item = await client.datasetItemGet(place, options)
  const wrong = await differingValues(client, { repo, schema, item, sha256 }, options)
  const bytes: LogCheck =
    wrong.length === 0
      ? { name: 'bytes', passed: true, text: 'Every value has the digest that it was added with.' }
      : { name: 'bytes', passed: false, text: `Not what was added: ${wrong.join(', ')}.` }

  const proof = await fetchItemProof(client, place, options)
  const log = await checkCheckpoint(client, repo, { note: proof.checkpoint, known, hash }, options)
  const size = log.checkpoint?.size
  const { isEntry, root } = await checkProof({
    item: { ...item, id: itemId },
    proof,
    size: size ?? 0,
    hash,
  })
  const isIncluded = root !== undefined && root === toHex(log.checkpoint?.root ?? noHash)
  return {
    checks: [
      bytes,
      isEntry
        ? { name: 'entry', passed: true, text: 'Its entry in the log has these digests.' }
        : { name: 'entry', passed: false, text: 'Its entry in the log is of other values.' },
      isIncluded
        ? { name: 'inclusion', passed: true, text: `It is entry ${proof.index + 1} of ${size}.` }
        : { name: 'inclusion', passed: false, text: 'The log does not have this entry.' },
      ...log.checks,
    ],
    size,
    known: log.known,
  }
}

const noHash = new Uint8Array()

/**
 * Checks whether the entry of a proof is that of an item with its digests, and computes the root of a log of `size`
 * entries in hex that has this entry; undefined where it cannot be computed.
 */
export async function checkProof({
  item,
  proof,
  size,
  hash,
}: {
  item: SealedItem
  proof: ItemProof
  size: number
  hash: Hash
}): Promise<{ isEntry: boolean; root: string | undefined }> {
  const values = Object.entries(item.integrity ?? {}).map(([field, seal]) => ({ field, ...seal }))
  const seal = toHex(await hash(new TextEncoder().encode(sealText(values))))
  const entry = readEntry(proof.entry)
  const isEntry = entry?.id === item.id && entry.seal === seal && entry.createdAt === item.createdAt
  const leaf = await leafHash(new TextEncoder().encode(proof.entry), hash)
  const { index, hashes } = proof
  const root = await rootByInclusion({ index, size, leaf, hashes }, hash).catch(() => undefined)
  return { isEntry, root: root && toHex(root) }
}

/** The names of the fields whose value has another digest. */
async function differingValues(
  client: Client,
  {
    repo,
    schema,
    item,
    sha256,
  }: { repo: string; schema: readonly ShownField[]; item: SealedItem; sha256: Sha256 },
  options: CallOptions,
): Promise<string[]> {
  const wrong: string[] = []
  for (const field of schema) {
    const value = item.data[field.name]
    if (value === undefined) {
      if (item.integrity?.[field.name] !== undefined) wrong.push(field.name)
      continue
    }
    const bytes =
      field.type === 'binary'
        ? await fileOf(client, { datasetId: repo, itemId: item.id, fieldName: field.name }, options)
        : new Blob([canonicalText(field as SchemaField, value)])
    const digest = bytes && (await sha256(bytes, { onProgress: () => {}, signal: options.signal }))
    if (digest !== item.integrity?.[field.name]?.sha256) wrong.push(field.name)
  }
  return wrong
}

/** Reads a file; undefined where its bytes are damaged, as the server knows. */
async function fileOf(
  client: Client,
  place: { datasetId: string; itemId: number; fieldName: string },
  options: CallOptions,
): Promise<Blob | undefined> {
  try {
    return await (await openReply(client, 'datasetFieldGet', place, options)).blob()
  } catch (error) {
    if ((error as { code?: string }).code === 'VALUE_DAMAGED') return undefined
    throw error
  }
}
