import { openReply, type CallInput, type Client } from '@vitrine/client'

/** A page of twenty such values comes in a moment. */
const smallBytes = 256 * 1024

/** The bytes of a value that can be shown among others; null for one that is too large for that. */
export async function smallValue(
  client: Client,
  input: CallInput<'datasetFieldGet'>,
  signal: AbortSignal,
): Promise<Blob | null> {
  const reply = await openReply(client, 'datasetFieldGet', input, { signal })
  // One that does not say its size may be of any.
  const size = Number(reply.headers.get('content-length') ?? Infinity)
  if (size <= smallBytes) return reply.blob()
  await reply.body?.cancel()
  return null
}
