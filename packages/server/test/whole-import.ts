import { ApiError, type Client } from '@vitrine/client'
import { errors, type ErrorCode, type ImportState } from '@vitrine/contract'

/**
 * Imports a file as a machine does that is never slow: a reply after the longest wait, which says how far
 * it is, is followed by asking again, and a failure is the error that the first reply would have been.
 */
export async function wholeImport(
  client: Client,
  input: Parameters<Client['importBegin']>[0],
): Promise<ImportState> {
  const { datasetId } = input
  const begun = await client.importBegin(input)
  let state = begun
  while (state.state === 'checking' || state.state === 'publishing') {
    state = await client.importGet({ datasetId, importKey: state.key, wait: 60 })
  }
  if (state === begun || state.error === undefined) return state
  const { status } = errors[state.error.code as ErrorCode]
  throw new ApiError(state.error.message, { status, body: state.error })
}

/** A file of rows as an import takes it: the text of CSV, or objects as NDJSON. */
export function fileOf(rows: string | readonly object[]): {
  format: 'csv' | 'ndjson'
  body: string
} {
  if (typeof rows === 'string') return { format: 'csv', body: rows }
  return { format: 'ndjson', body: rows.map((row) => `${JSON.stringify(row)}\n`).join('') }
}

/** Returns the problems of an import that is refused, each as a sentence. */
export async function problemsOf(importing: Promise<unknown>): Promise<string[]> {
  const error = await importing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof ApiError ? [...error.problems] : []
}
