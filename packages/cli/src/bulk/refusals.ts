import { extname } from 'node:path'
import { ApiError, type Client, openReply, SourceError } from '@vitrine/client'
import { refusal } from '@vitrine/contract'
import { CommandError } from '../command/command.ts'
import { counted, visible } from '../command/table.ts'
import { saveReply } from '../command/files.ts'

type Refused = { repo: string; importKey: string }

/** Refused rows printed on a terminal. */
const shownMax = 20
/** Characters of a value on a line. */
const valueMax = 60

/** Why the first of the refused rows were refused, a line each. */
async function refusalsOf(client: Client, { repo, importKey }: Refused): Promise<string[]> {
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

function unreadable(cause: SourceError): CommandError {
  return new CommandError(`${cause.message}.`, { cause, exitCode: 6 })
}

/** Returns the error of an import with the rows that were refused, where any were; saves them all as `report`. */
export async function explained(
  client: Client,
  repo: string,
  error: unknown,
  report: string | undefined,
): Promise<unknown> {
  if (error instanceof SourceError) return unreadable(error)
  if (!(error instanceof ApiError)) return error
  const { importKey } = error.body?.details ?? {}
  if (error.code !== 'IMPORT_REFUSED' || importKey === undefined) return error
  if (report !== undefined) await saveReport(client, { repo, importKey, file: report })
  const lines = await refusalsOf(client, { repo, importKey })
  const { refusedRows } = error.body?.details ?? {}
  return new CommandError(
    [
      `Nothing was added: ${counted(refusedRows ?? lines.length, 'row')} of the file did not conform to the schema of ${repo}.`,
      ...lines,
      report === undefined
        ? 'Correct them, or import the others with --skip; --report <file> keeps all reasons.'
        : `Correct them, or import the others with --skip. All reasons are in ${report}.`,
    ].join('\n'),
    { cause: error, exitCode: 6 },
  )
}
