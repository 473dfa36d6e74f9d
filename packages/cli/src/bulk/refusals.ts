import { extname } from 'node:path'
import { type Client, openReply } from '@vitrine/client'
import { refusal } from '@vitrine/contract'
import { visible } from '../command/table.ts'
import { saveReply } from '../command/files.ts'

type Refused = { repo: string; importKey: string }

/** Refused rows printed on a terminal. */
const shownMax = 20
/** Characters of a value on a line. */
const valueMax = 60

/** Why the first of the refused rows were refused, a line each. */
export async function refusalsOf(client: Client, { repo, importKey }: Refused): Promise<string[]> {
  const report = await client.importReport({ datasetId: repo, importKey, format: 'ndjson' })
  const lines = (await report.text()).split('\n').filter(Boolean)
  const shown = lines.slice(0, shownMax).map((text) => {
    const { row, line, field, reason, value } = refusal.parse(JSON.parse(text))
    const place = line === null ? `row ${row}` : `line ${line}`
    const shown = typeof value === 'string' ? ` (${shortened(value)})` : ''
    return visible(`  ${place}: ${field === null ? '' : `${field}: `}${reason}${shown}`)
  })
  const more = lines.length - shown.length
  return more === 0 ? shown : [...shown, `  and ${more.toLocaleString('en')} more`]
}

function shortened(value: string): string {
  return value.length > valueMax ? `${value.slice(0, valueMax)}…` : value
}

/** Writes all reasons to a file: as CSV if that is what its name says, otherwise as NDJSON. */
export async function saveReport(
  client: Client,
  { repo, importKey, file }: Refused & { file: string },
): Promise<void> {
  const format = extname(file).toLowerCase() === '.csv' ? 'csv' : 'ndjson'
  const of = { datasetId: repo, importKey, format } as const
  await saveReply(await openReply(client, 'importReport', of), file)
}
