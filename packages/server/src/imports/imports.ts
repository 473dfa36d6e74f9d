// Runs on the main thread.

import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ImportRow,
  findImportById,
  isUnfinished,
  listUnfinishedImports,
} from '../store/imports.ts'
import { decideToCancel, endImport, importLease, workOnImport } from './work-on-import.ts'
import { Backoff } from '../runtime/backoff.ts'
import { FairQueue } from '../runtime/fair-queue.ts'
import type { ImportContext } from './import-context.ts'

/** Imports that are worked on side by side; others wait. */
const concurrency = 2
/** The interval of looking for abandoned imports. */
const wakeMs = 5000
/** Back-off before an import is retried after a transient failure: each retry checks it from its beginning. */
const restMs = { firstMs: wakeMs, maxMs: 5 * 60_000 }
/** How often it is looked whether another process has ended an import. */
const lookMs = 500

type Running = { ended: Promise<void>; cancelling: AbortController }

/** Works on imports whose file is complete, also on those that a stop or a kill of any process cut short. */
export class Imports {
  readonly #context: ImportContext
  readonly #onError: (error: unknown) => void
  readonly #onEnded: () => void
  readonly #stopping = new AbortController()
  readonly #running = new Map<number, Running>()
  readonly #publishing = new Map<number, Promise<void>>()
  readonly #queue = new FairQueue(concurrency)
  readonly #rests: Backoff<number>
  #waking: Promise<void> | undefined

  constructor(
    context: ImportContext,
    {
      onError,
      onEnded,
      clock,
    }: {
      onError: (error: unknown) => void
      /** Called whenever an import has been worked on. */
      onEnded?: () => void
      clock?: () => number
    },
  ) {
    this.#context = context
    this.#onError = onError
    this.#onEnded = onEnded ?? (() => {})
    this.#rests = new Backoff({ ...restMs, ...(clock !== undefined && { clock }) })
  }

  /** Goes on with what was not finished, now and whenever another process leaves something so. */
  async resume(): Promise<void> {
    await this.resumeAll()
    this.#waking = this.#wakeUntilStopped()
  }

  /** Works on an import until it ends, unless another process does. */
  run({ id, created_by: owner }: Pick<ImportRow, 'id' | 'created_by'>): void {
    if (this.#running.has(id)) return
    const cancelling = new AbortController()
    const ended = this.#queue
      .run(owner, () => this.#work(id, cancelling))
      .finally(() => {
        this.#running.delete(id)
        this.#onEnded()
      })
    this.#running.set(id, { ended, cancelling })
  }

  /** Waits until an import has ended, but no longer than so many seconds. */
  async wait(id: number, seconds: number): Promise<void> {
    const until = performance.now() + seconds * 1000
    while (!(await this.#hasEnded(id))) {
      const left = until - performance.now()
      if (left <= 0) return
      await this.#pause(id, Math.min(lookMs, left))
    }
  }

  /**
   * Ends an import that is not published, or has the process end it that works on it.
   * @throws Failure IMPORT_DONE
   */
  async cancel(id: number): Promise<void> {
    const { store } = this.#context
    if (!(await decideToCancel(store, id))) return
    this.#running.get(id)?.cancelling.abort()
    for (;;) {
      await store.exclusively(importLease(id), (lease) => endImport(store, id, lease))
      if (await this.#hasEnded(id)) return
      await this.#pause(id, lookMs)
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#queue.releaseAll()
    await this.#waking
    await Promise.all(this.#running.values().map(({ ended }) => ended))
    await Promise.all(this.#publishing.values())
    await this.#context.checkPool.close()
  }

  async #wakeUntilStopped(): Promise<void> {
    const { signal } = this.#stopping
    for (;;) {
      await sleep(wakeMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      await this.resumeAll().catch((error: unknown) => this.#onError(error))
    }
  }

  /** Goes on with what nobody works on, unless it rests after a fault that will pass. */
  async resumeAll(): Promise<void> {
    const unfinished = await listUnfinishedImports(this.#context.store.reads)
    if (this.#stopping.signal.aborted) return
    for (const row of unfinished) {
      if (!this.#rests.isDue(row.id)) continue
      if (row.state === 'checking') this.run(row)
      else this.#goOnPublishing(row.id)
    }
  }

  /** At once: those whose turn it is may wait for this one to give up its repository. */
  #goOnPublishing(id: number): void {
    if (this.#publishing.has(id)) return
    const ended = this.#work(id, new AbortController()).finally(() => this.#publishing.delete(id))
    this.#publishing.set(id, ended)
  }

  async #work(id: number, cancelling: AbortController): Promise<void> {
    const onError = this.#onError
    try {
      let isLeft = false
      await workOnImport(this.#context, {
        id,
        cancelling,
        stopping: this.#stopping.signal,
        onLeft: (error) => {
          isLeft = true
          this.#rests.failed(id)
          onError(error)
        },
        onError,
      })
      if (!isLeft) this.#rests.forget(id)
    } catch (error) {
      onError(error)
    }
  }

  async #hasEnded(id: number): Promise<boolean> {
    const row = await findImportById(this.#context.store.reads, id)
    return row === undefined || !isUnfinished(row)
  }

  /** Waits until this process has done with an import, but no longer than that. */
  async #pause(id: number, ms: number): Promise<void> {
    const running = this.#running.get(id)
    const timer = new AbortController()
    const late = sleep(ms, undefined, { signal: timer.signal }).catch(() => {})
    await Promise.race(running === undefined ? [late] : [late, running.ended])
    timer.abort()
  }
}
