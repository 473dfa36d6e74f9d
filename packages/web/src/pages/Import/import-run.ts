import { confirmImport, importFile, type Client, type FollowOptions } from '@vitrine/client'
import { importedRows, type ImportFormat, type ImportState } from '@vitrine/contract'
import type { Reading } from '@vitrine/rows/reading'
import { observe, type TransferRate } from '../../data/transfer-rate.ts'
import type { ColumnMapping } from './column-mapping.ts'
import type { Matching } from './import-choice.ts'

/** How a file is to be imported; of no consequence for an import that was begun already. */
export type ImportPlan = {
  repo: string
  key: string
  file: Blob
  format: ImportFormat
  mode: 'all' | 'skip'
  guard: boolean
  /** How the file is read. */
  reading: Reading
  columns: ColumnMapping | undefined
  matching?: Matching | undefined
}

/**
 * `stalled`: the server cannot be reached, and is asked again by itself. `stopped`: only the user can
 * help. `checked`: what it is to change is to be confirmed. `ended`: the state says how.
 */
export type RunStatus =
  | { is: 'running' }
  | { is: 'paused' }
  | { is: 'stalled'; reason: string }
  | { is: 'stopped'; error: Error }
  | { is: 'checked' }
  | { is: 'ended' }

/**
 * One import: sends its file part by part from wherever the server has it, and then follows it to its
 * end. Whatever changes is told to subscribers; `version` is another each time.
 */
export class ImportRun {
  readonly plan: ImportPlan
  /** The server's last reply; undefined before the first. */
  state: ImportState | undefined
  status: RunStatus = { is: 'paused' }
  /** Rate of the current phase: bytes sent, bytes checked or rows published. */
  rate: TransferRate = []
  version = 0

  #client: Client
  #abort = new AbortController()
  #running: Promise<void> | undefined
  #listeners = new Set<() => void>()

  constructor(client: Client, plan: ImportPlan, state?: ImportState) {
    this.#client = client
    this.plan = plan
    this.state = state
  }

  /** Begins, or goes on from where the server is. */
  start(): void {
    if (['running', 'checked', 'ended'].includes(this.status.is)) return
    this.#follow((options) => this.#import(options))
  }

  /** Lets the import do what it was seen that it is to change. */
  confirm(): void {
    const { state } = this
    if (state?.state !== 'checked' || this.status.is === 'running') return
    this.#follow((options) => confirmImport(this.#client, this.plan.repo, state, options))
  }

  #follow(work: (options: FollowOptions) => Promise<ImportState>): void {
    this.#abort.abort()
    this.#abort = new AbortController()
    this.rate = []
    this.#become({ is: 'running' })
    const { signal } = this.#abort
    // Of two that send the same part one would be told of a wrong offset.
    this.#running = (this.#running ?? Promise.resolve()).then(() => this.#run(work, signal))
  }

  /** Sends no more; an import whose file is complete goes on at the server. */
  pause(): void {
    if (this.status.is === 'ended' || this.status.is === 'checked') return
    this.#abort.abort()
    this.#become({ is: 'paused' })
  }

  /**
   * Ends the import, unless it is published already.
   * @throws ApiError
   */
  async cancel(): Promise<void> {
    this.pause()
    await this.#running
    const at = { datasetId: this.plan.repo, importKey: this.plan.key }
    await this.#client.importCancel(at)
    this.#note(await this.#client.importGet(at))
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #import(options: FollowOptions): Promise<ImportState> {
    const { repo, file, reading, matching, ...plan } = this.plan
    return importFile(this.#client, repo, file, {
      ...plan,
      ...reading,
      ...(matching !== undefined && { ...matching, match: [...matching.match], confirm: true }),
      begun: this.state !== undefined,
      ...options,
    })
  }

  async #run(
    work: (options: FollowOptions) => Promise<ImportState>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await work({
        // Until the user pauses.
        failuresMax: Infinity,
        onProgress: (state) => this.#note(state),
        onLost: ({ message }) => this.#become({ is: 'stalled', reason: message }),
        signal,
      })
    } catch (error) {
      if (signal.aborted || this.status.is === 'ended') return
      this.#become({ is: 'stopped', error: error as Error })
    }
  }

  #note(state: ImportState): void {
    if (this.state?.state !== state.state) this.rate = []
    this.state = state
    this.rate = observe(this.rate, performance.now(), measureOf(state, this.plan.file.size).done)
    this.#become({ is: statusAfter(state, this.status.is === 'paused') })
  }

  #become(status: RunStatus): void {
    this.status = status
    this.version += 1
    for (const listener of this.#listeners) listener()
  }
}

function statusAfter({ state }: ImportState, isPaused: boolean) {
  if (state === 'done' || state === 'failed' || state === 'cancelled') return 'ended'
  if (state === 'checked') return 'checked'
  return isPaused ? 'paused' : 'running'
}

/** How far an import is with what it does now. */
export function measureOf(
  state: ImportState,
  fileSize: number,
): { unit: 'bytes' | 'rows'; done: number; total: number } {
  if (state.state === 'receiving') {
    return { unit: 'bytes', done: state.receivedBytes, total: fileSize }
  }
  if (state.state === 'checking') {
    return { unit: 'bytes', done: state.checkedBytes, total: state.receivedBytes }
  }
  return { unit: 'rows', done: state.publishedRows, total: importedRows(state) }
}
