import { importFile, type Client } from '@vitrine/client'
import type { ImportFormat, ImportState } from '@vitrine/contract'
import type { Reading } from '@vitrine/rows/reading'
import { observe, type TransferRate } from '../../data/transfer-rate.ts'
import type { ColumnMapping } from './column-mapping.ts'

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
}

/**
 * `stalled`: the server cannot be reached, and is asked again by itself. `stopped`: only the user can
 * help. `ended`: the state says how.
 */
export type RunStatus =
  | { is: 'running' }
  | { is: 'paused' }
  | { is: 'stalled'; reason: string }
  | { is: 'stopped'; error: Error }
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
    if (this.status.is === 'running' || this.status.is === 'ended') return
    this.#abort.abort()
    this.#abort = new AbortController()
    this.rate = []
    this.#become({ is: 'running' })
    const { signal } = this.#abort
    // Of two that send the same part one would be told of a wrong offset.
    this.#running = (this.#running ?? Promise.resolve()).then(() => this.#run(signal))
  }

  /** Sends no more; an import whose file is complete goes on at the server. */
  pause(): void {
    if (this.status.is === 'ended') return
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

  async #run(signal: AbortSignal): Promise<void> {
    const { repo, file, reading, ...plan } = this.plan
    try {
      await importFile(this.#client, repo, file, {
        ...plan,
        ...reading,
        begun: this.state !== undefined,
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
    const isOver = ['done', 'failed', 'cancelled'].includes(state.state)
    this.#become({ is: isOver ? 'ended' : this.status.is === 'paused' ? 'paused' : 'running' })
  }

  #become(status: RunStatus): void {
    this.status = status
    this.version += 1
    for (const listener of this.#listeners) listener()
  }
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
  const total = state.rows - state.refusedRows
  return { unit: 'rows', done: state.publishedRows, total }
}
