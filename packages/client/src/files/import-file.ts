import { type ErrorCode, type ImportFormat, type ImportState, errors } from '@vitrine/contract'
import { ApiError } from '../call/api-error.ts'
import type { CallInput, Client } from '../call/client.ts'
import { type ImportSource, nextPartBytes, partBytes, partsOf } from './import-parts.ts'
import { wait } from '../call/retry.ts'

export type ImportOptions = Pick<
  CallInput<'importBegin'>,
  | 'mode'
  | 'columns'
  | 'guard'
  | 'encoding'
  | 'delimiter'
  | 'quote'
  | 'escape'
  | 'null'
  | 'header'
  | 'comment'
  | 'skip'
  | 'sheet'
  | 'match'
  | 'reason'
  | 'confirm'
  | 'key'
> & {
  format: ImportFormat
  /** Whether the import was begun before; it goes on with the options that it was begun with. */
  begun?: boolean
} & FollowOptions

export type FollowOptions = {
  /** Called with the state of the import; `receivedBytes` of its file have arrived. */
  onProgress?: ((state: ImportState) => void) | undefined
  /** Called when the server was not reached, before it is tried again. */
  onLost?: ((error: ApiError) => void) | undefined
  /** How often in a row the server may not be reached. */
  failuresMax?: number | undefined
  signal?: AbortSignal | undefined
}

/** Milliseconds before a server that could not be reached is asked again. */
const patience = { first: 250, longest: 10_000 }

/**
 * Imports a file of rows (docs/import-export.md) in parts, going on where it was when the connection
 * fails. With the same `key` a later call does so too, and once the import is done changes nothing.
 *
 * @param source a stream is read once, and what of it the server has is passed over
 * @returns the state of the import when it is done, or waits to be confirmed (`confirmImport`)
 * @throws ApiError when it fails, the repository as it was; when it is aborted, it can be gone on with
 * @throws SourceError when the source cannot be read
 */
export async function importFile(
  client: Client,
  repo: string,
  source: ImportSource,
  {
    key: importKey = crypto.randomUUID(),
    begun = false,
    onProgress,
    onLost,
    failuresMax,
    signal,
    ...options
  }: ImportOptions,
): Promise<ImportState> {
  const named = { datasetId: repo, importKey }
  const takePart = partsOf(source)
  let size = partBytes.first
  let isBegun = begun

  /** The state at the server: the same beginning twice is one. */
  const stand = () =>
    isBegun
      ? client.importGet({ ...named, wait: 0 }, { signal })
      : client.importBegin(
          {
            datasetId: repo,
            key: importKey,
            ...options,
            complete: false,
            wait: 0,
            body: new Blob(),
          },
          { signal },
        )
  const advance = async ({ state, receivedBytes: offset }: ImportState) => {
    if (state !== 'receiving') return client.importGet({ ...named, wait: 1 }, { signal })
    const { body, isLast: complete } = await takePart(offset, size)
    const began = performance.now()
    const next = await client.importAppend({ ...named, offset, complete, body }, { signal })
    size = nextPartBytes(body.length, performance.now() - began)
    return next
  }

  return follow(
    async (state) => {
      if (state === undefined) size = partBytes.first
      const next = await (state === undefined ? stand() : advance(state))
      isBegun = true
      return next
    },
    { onProgress, onLost, failuresMax, signal },
  )
}

/**
 * Confirms an import that waits for that, and follows it.
 * @param checked its state, by which it was seen what it is to change
 * @returns its state when it is done; or when it waits again, as others have changed what it is to change
 * @throws ApiError when it fails, the repository as it was
 */
export function confirmImport(
  client: Client,
  repo: string,
  { key: importKey, outcome = '' }: ImportState,
  options: FollowOptions = {},
): Promise<ImportState> {
  const named = { datasetId: repo, importKey }
  const { signal } = options
  return follow(
    (state) =>
      state === undefined
        ? client.importConfirm({ ...named, outcome }, { signal })
        : client.importGet({ ...named, wait: 1 }, { signal }),
    options,
  )
}

/** Asks for the state of an import until it ends or waits; `next` is given none at first, and after a failure. */
async function follow(
  next: (state: ImportState | undefined) => Promise<ImportState>,
  { onProgress, onLost, failuresMax = 12, signal }: FollowOptions,
): Promise<ImportState> {
  let state: ImportState | undefined
  for (let failures = 0; ;) {
    try {
      state = await next(state)
    } catch (error) {
      if (!(error instanceof ApiError) || !mayGoOn(error) || failures >= failuresMax) throw error
      if (error.code !== 'IMPORT_OFFSET') onLost?.(error)
      await wait(Math.min(patience.first * 2 ** failures, patience.longest), signal)
      failures += 1
      state = undefined
      continue
    }
    failures = 0
    onProgress?.(state)
    if (state.state === 'done' || state.state === 'checked') return state
    if (state.state === 'failed' || state.state === 'cancelled') throw failureOf(state)
  }
}

/** Whether an import can go on. What was lost may have arrived, whole or in part: the server knows. */
function mayGoOn({ lost, status, code }: ApiError): boolean {
  return lost || code === 'IMPORT_OFFSET' || [408, 429, 502, 503, 504].includes(status)
}

function failureOf({ error, state }: ImportState): ApiError {
  const { message, code } = error ?? { message: `the import was ${state}`, code: '' }
  const definition = Object.hasOwn(errors, code) ? errors[code as ErrorCode] : undefined
  return new ApiError(message, { status: definition?.status ?? 0, body: error })
}
