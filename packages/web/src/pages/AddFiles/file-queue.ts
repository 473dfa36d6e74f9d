import type { NewValue } from '@vitrine/client'
import { observe, type TransferRate } from '../../data/transfer-rate.ts'
import type { CommittedFiles, SentCommit } from './committed-files.ts'
import { failureAction } from './failure-action.ts'
import type { FileWithPath } from '../../files/file-with-path.ts'

export type FileState =
  | { is: 'waiting' }
  | { is: 'hashing' }
  | { is: 'sending'; sentBytes: number }
  /** Without an id where it was committed before: it was not sent again. */
  | { is: 'done'; itemId: number | undefined }
  | { is: 'refused'; reason: string }

export type QueuedFile = FileWithPath & { index: number; state: FileState }

/** `stalled`: the server cannot be reached, and is asked again by itself. */
export type QueueStatus =
  | { is: 'paused' }
  | { is: 'running' }
  | { is: 'stalled'; reason: string }
  | { is: 'stopped'; error: Error }

/** Steps of the queue for one file. */
export type FileWork = {
  /** @throws Error where the file cannot be an item */
  values: (queued: FileWithPath) => Record<string, NewValue>
  hash: (file: File, signal: AbortSignal) => Promise<string>
  /** Adds the item and returns its id. */
  add: (
    queued: FileWithPath,
    values: Record<string, NewValue>,
    options: {
      sha256: string
      signal: AbortSignal
      onSent: (bytes: number) => void
      /** Called before the commit is sent: from then on the item may be there. */
      onCommit: (commit: SentCommit) => void
    },
  ) => Promise<number>
  /** The id of the item that a commit made or makes now; undefined where it can make none. */
  commitAgain: (commit: SentCommit, signal: AbortSignal) => Promise<number | undefined>
}

type Flight = { stop: AbortController; committing: boolean }

const inFlightMost = 4
/** For so many milliseconds the sizes of files are added up before other work comes first. */
const addUpMs = 8
/** Milliseconds before a server that could not be reached is asked again. */
const stallMs = { first: 1000, longest: 30_000 }

/**
 * Files that become items, a few at a time and each at most once. Whatever changes is told to
 * subscribers; `version` is another each time.
 */
export class FileQueue {
  readonly files: QueuedFile[] = []
  readonly counts: Record<FileState['is'], number> = {
    waiting: 0,
    hashing: 0,
    sending: 0,
    done: 0,
    refused: 0,
  }
  status: QueueStatus = { is: 'paused' }
  rate: TransferRate = []
  version = 0

  #work: FileWork
  #committed: CommittedFiles
  #waiting: QueuedFile[] = []
  #inFlight = new Map<QueuedFile, Flight>()
  /** Bytes of files whose size is known by now. */
  #knownBytes = 0
  #refusedBytes = 0
  #doneBytes = 0
  #stalls = 0
  #wakeUp: ReturnType<typeof setTimeout> | undefined
  #listeners = new Set<() => void>()

  constructor(work: FileWork, committed: CommittedFiles) {
    this.#work = work
    this.#committed = committed
  }

  /** Bytes of files that are done, and of those in flight what was sent. */
  get doneBytes(): number {
    let bytes = this.#doneBytes
    for (const { state } of this.#inFlight.keys()) {
      if (state.is === 'sending') bytes += state.sentBytes
    }
    return bytes
  }

  /** Bytes of all files but those that were refused, which are not sent; sizes come one after the other. */
  get totalBytes(): number {
    return Math.max(this.doneBytes, this.#knownBytes - this.#refusedBytes)
  }

  /** Whether something would be lost if the page went away. */
  get unsettled(): boolean {
    return this.counts.waiting + this.#inFlight.size > 0
  }

  enqueue(files: readonly FileWithPath[]): void {
    for (const chosen of files) {
      const queued = { ...chosen, index: this.files.length, state: { is: 'waiting' } as const }
      this.files.push(queued)
      this.#waiting.push(queued)
      this.counts.waiting += 1
    }
    void this.#addUp(files)
    this.#fill()
  }

  /** A file says its size after the browser has looked for it, half a millisecond each. */
  async #addUp(files: readonly FileWithPath[]): Promise<void> {
    let began = performance.now()
    for (const { file } of files) {
      if (performance.now() - began > addUpMs) {
        this.#tell()
        await new Promise((resolve) => setTimeout(resolve))
        began = performance.now()
      }
      this.#knownBytes += file.size
    }
    this.#tell()
  }

  start(work: FileWork = this.#work): void {
    this.#work = work
    clearTimeout(this.#wakeUp)
    this.rate = []
    this.status = { is: 'running' }
    this.#fill()
  }

  /** Puts files in flight back to waiting, unless their commit is under way already. */
  pause(): void {
    this.#halt({ is: 'paused' })
  }

  /** Files that were refused wait once more. */
  retry(files: readonly QueuedFile[] = this.files): void {
    for (const queued of files) {
      if (queued.state.is !== 'refused') continue
      this.#refusedBytes -= queued.file.size
      this.#become(queued, { is: 'waiting' })
      this.#waiting.push(queued)
    }
    this.start()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #fill(): void {
    while (this.status.is === 'running' && this.#inFlight.size < inFlightMost) {
      const queued = this.#takeWaiting()
      if (queued === undefined) break
      void this.#send(queued)
    }
    if (this.status.is === 'running' && !this.unsettled) this.status = { is: 'paused' }
    this.#tell()
  }

  /** A file that was dropped twice waits for its first copy, after which it is there already. */
  #takeWaiting(): QueuedFile | undefined {
    const paths = new Set([...this.#inFlight.keys()].map(({ path }) => path))
    const index = this.#waiting.findIndex(({ path }) => !paths.has(path))
    return index === -1 ? undefined : this.#waiting.splice(index, 1)[0]
  }

  async #send(queued: QueuedFile): Promise<void> {
    const flight: Flight = { stop: new AbortController(), committing: false }
    const { signal } = flight.stop
    this.#inFlight.set(queued, flight)
    try {
      const values = this.#work.values(queued)
      this.#become(queued, { is: 'hashing' })
      const sha256 = await this.#work.hash(queued.file, signal)
      if (this.#committed.has(queued.path, sha256)) {
        this.#settle(queued, { is: 'done', itemId: undefined })
      } else {
        this.#become(queued, { is: 'sending', sentBytes: 0 })
        const sent = this.#committed.sent(queued.path, sha256)
        const itemId =
          (sent && (await this.#work.commitAgain(sent, signal))) ??
          (await this.#work.add(queued, values, {
            sha256,
            signal,
            onSent: (sentBytes) => {
              queued.state = { is: 'sending', sentBytes }
              this.#moved()
            },
            onCommit: (commit) => {
              flight.committing = true
              this.#committed.send(queued.path, sha256, commit)
            },
          }))
        this.#committed.add(queued.path, sha256)
        this.#stalls = 0
        this.#settle(queued, { is: 'done', itemId })
      }
    } catch (error) {
      this.#inFlight.delete(queued)
      this.#failed(queued, error as Error, flight)
    }
    this.#inFlight.delete(queued)
    this.#moved()
    this.#fill()
  }

  #failed(queued: QueuedFile, error: Error, { stop }: Flight): void {
    const action = stop.signal.aborted ? { is: 'aborted' as const } : failureAction(error)
    if (action.is === 'refused') return this.#settle(queued, action)
    this.#become(queued, { is: 'waiting' })
    this.#waiting.unshift(queued)
    if (action.is === 'stop') this.#halt({ is: 'stopped', error })
    if (action.is === 'later' && this.status.is === 'running') this.#stall(error)
  }

  #stall({ message }: Error): void {
    this.#halt({ is: 'stalled', reason: message })
    const waitMs = Math.min(stallMs.first * 2 ** this.#stalls, stallMs.longest)
    this.#stalls += 1
    this.#wakeUp = setTimeout(() => this.start(), waitMs)
  }

  #halt(status: QueueStatus): void {
    clearTimeout(this.#wakeUp)
    this.status = status
    for (const { stop, committing } of this.#inFlight.values()) {
      if (!committing) stop.abort()
    }
    this.#tell()
  }

  #settle(queued: QueuedFile, state: FileState): void {
    if (state.is === 'refused') this.#refusedBytes += queued.file.size
    else this.#doneBytes += queued.file.size
    this.#become(queued, state)
  }

  #become(queued: QueuedFile, state: FileState): void {
    this.counts[queued.state.is] -= 1
    this.counts[state.is] += 1
    queued.state = state
    this.#tell()
  }

  #moved(): void {
    this.rate = observe(this.rate, performance.now(), this.doneBytes)
    this.#tell()
  }

  #tell(): void {
    this.version += 1
    for (const listener of this.#listeners) listener()
  }
}
