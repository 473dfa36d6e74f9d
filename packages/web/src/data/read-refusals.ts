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
  const found: Refusal[] = []
  if (body === null) return found
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value = '' } = await reader.read()
    const lines = (rest + value).split('\n')
    rest = lines.pop()!
    found.push(...lines.map((line) => refusal.parse(JSON.parse(line))))
    if (done || found.length >= refusalsMost) break
  }
  await reader.cancel()
  return found.slice(0, refusalsMost)
}
