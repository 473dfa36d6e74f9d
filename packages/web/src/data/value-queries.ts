import { queryOptions } from '@tanstack/react-query'
import { ApiError, openReply, type CallInput, type Client } from '@vitrine/client'
import { type Feature, picturedTypes, type PictureWidth } from '@vitrine/contract'
import { namedState } from './named-state.ts'

/** A page of twenty such values comes in a moment. */
const smallBytes = 256 * 1024

type Place = CallInput<'datasetFieldGet'>

/** One entry per way of reading a value; the key of each begins with its call's name. */
export function createValueQueries(client: Client, features: readonly Feature[]) {
  return {
    datasetFieldGet: (datasetId: string, itemId: string | number, fieldName: string) =>
      queryOptions({
        queryKey: ['datasetFieldGet', { datasetId, itemId: String(itemId), fieldName }],
        queryFn: ({ signal }) =>
          client.datasetFieldGet({ ...namedState(datasetId), itemId, fieldName }, { signal }),
        // A value never changes, but it may be large: it is kept only while it is shown.
        staleTime: Infinity,
        gcTime: 0,
      }),
    /**
     * A value as a picture of at most so many pixels on either side, or itself where the server makes none
     * of it; null where that is large.
     */
    datasetPictureGet: (
      { datasetId, itemId, fieldName }: Place,
      { mime, width }: { mime: string | undefined; width: PictureWidth },
    ) => {
      const place = { datasetId, itemId: String(itemId), fieldName }
      const isMade = features.includes('small-pictures') && mayBePictured(mime)
      return queryOptions({
        queryKey: isMade
          ? ['datasetPictureGet', { ...place, width }]
          : ['datasetFieldGet', { ...place, small: true }],
        queryFn: ({ signal }) =>
          isMade
            ? pictureOrValue(client, { ...place, width }, signal)
            : valueWithin(client, place, smallBytes, signal),
        staleTime: Infinity,
      })
    },
    datasetFieldGetWithin: (
      datasetId: string,
      itemId: string | number,
      fieldName: string,
      maxBytes: number,
    ) =>
      queryOptions({
        queryKey: ['datasetFieldGet', { datasetId, itemId: String(itemId), fieldName, maxBytes }],
        queryFn: ({ signal }) =>
          valueWithin(client, { datasetId, itemId, fieldName }, maxBytes, signal),
        staleTime: Infinity,
        gcTime: 0,
      }),
    /** Query of the first bytes of a value. */
    datasetFieldHead: ({ datasetId, itemId, fieldName }: Place, maxBytes: number) =>
      queryOptions({
        queryKey: [
          'datasetFieldGet',
          { datasetId, itemId: String(itemId), fieldName, head: maxBytes },
        ],
        queryFn: ({ signal }) =>
          headOfValue(client, { datasetId, itemId, fieldName }, maxBytes, signal),
        staleTime: Infinity,
        gcTime: 0,
      }),
  }
}

/** Whether small pictures may be made of the values of a field, by its media type, which may be `image/*`. */
function mayBePictured(mime = 'image/*'): boolean {
  return mime.endsWith('/*') || picturedTypes.includes(mime.toLowerCase())
}

async function pictureOrValue(
  client: Client,
  input: CallInput<'datasetPictureGet'>,
  signal: AbortSignal,
): Promise<Blob | null> {
  try {
    return await client.datasetPictureGet({ ...input, ...stateOf(input) }, { signal })
  } catch (error) {
    if (!(error instanceof ApiError) || !error.code?.startsWith('PICTURE_')) throw error
    return valueWithin(client, input, smallBytes, signal)
  }
}

function stateOf({ datasetId }: Pick<Place, 'datasetId'>) {
  return namedState(String(datasetId))
}

/** The bytes of a value that can be shown among others; null for one that is too large for that. */
async function valueWithin(
  client: Client,
  input: Place,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Blob | null> {
  const reply = await openReply(
    client,
    'datasetFieldGet',
    { ...input, ...stateOf(input) },
    { signal },
  )
  // One that does not say its size may be of any.
  const size = Number(reply.headers.get('content-length') ?? Infinity)
  if (size <= maxBytes) return reply.blob()
  await reply.body?.cancel()
  return null
}

/** The beginning of a value, with its media type as the server says it, and whether that is all of it. */
async function headOfValue(
  client: Client,
  input: Place,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; mediaType: string; isWhole: boolean }> {
  const reply = await openReply(
    client,
    'datasetFieldGet',
    { ...input, ...stateOf(input) },
    { signal },
  )
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  // Leaving the loop cancels the rest.
  for await (const part of reply.body ?? []) {
    parts.push(part)
    length += part.length
    if (length > maxBytes) break
  }
  const bytes = new Uint8Array(await new Blob(parts).slice(0, maxBytes).arrayBuffer())
  return {
    bytes,
    mediaType: reply.headers.get('content-type') ?? '',
    isWhole: length <= maxBytes,
  }
}
