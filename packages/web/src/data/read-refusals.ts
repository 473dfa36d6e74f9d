import { openReply, type Client } from '@vitrine/client'
import { refusal, type Refusal } from '@vitrine/contract'

/** How many refusals a screen shows; the report has all. */
const refusalsMost = 100

/** The first refusals of an import. */
export async function readRefusals(
  client: Client,
  at: { datasetId: string; importKey: string },
  signal: AbortSignal,
): Promise<Refusal[]> {
  const { body } = await openReply(client, 'importReport', { ...at, format: 'ndjson' }, { signal })
  const refusals: Refusal[] = []
  if (body === null) return refusals
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value = '' } = await reader.read()
    const lines = (rest + value).split('\n')
    rest = lines.pop()!
    refusals.push(...lines.map((line) => refusal.parse(JSON.parse(line))))
    if (done || refusals.length >= refusalsMost) break
  }
  await reader.cancel()
  return refusals.slice(0, refusalsMost)
}
