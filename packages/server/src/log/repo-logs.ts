import { setTimeout as sleep } from 'node:timers/promises'
import { fail, Failure } from '../failure.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import { countItemsOf, findDataset, findDatasetById, listRepoIds } from '../store/datasets.ts'
import type { Dataset } from '../store/datasets.ts'
import type { Store } from '../store/store.ts'
import { RepoLog } from './repo-log.ts'
import type { LogFault, CheckpointGuard } from './checkpoint-guard.ts'

/** Logs that are kept open. */
const openMax = 1000
/** How long a request waits for a log that has far to go, as after an upgrade. */
const waitMs = 30_000
/** How long another process is left to bring the logs up to date before it is looked again. */
const turnMs = 2_000

/** A repository's log up to an entry. */
export type LogState = { repo: Dataset; log: RepoLog; size: number }

export type RepoLogEvents = {
  /** All logs could not be brought up to date, or one of them. */
  error: (error: unknown, repo?: Dataset) => void
  /** A log cannot be signed. */
  fault: (repo: Dataset, fault: LogFault) => void
}

/** The logs of all repositories, brought up to date in the background. */
export class RepoLogs {
  readonly #store: Store
  readonly #guard: CheckpointGuard
  readonly #on: RepoLogEvents
  readonly #open = new LruCache<string, RepoLog>(openMax)
  readonly #stopping = new AbortController()
  /** Whether all logs were compared with what was signed of them, as once after a start. */
  #isCompared = false
  #isRequested = false
  #running: Promise<void> | undefined

  constructor(store: Store, guard: CheckpointGuard, on: RepoLogEvents) {
    this.#store = store
    this.#guard = guard
    this.#on = on
  }

  /**
   * Finds the log of a repository as it is now, or as it was when it had `size` entries.
   * @throws Failure REPO_NOT_FOUND, LOG_RANGE_NOT_FOUND, OVERLOADED
   */
  async find(name: string, size?: number): Promise<LogState> {
    const repo = await findDataset(this.#store.reads, name)
    if (repo?.kind !== 'repo') throw fail('REPO_NOT_FOUND')
    const count = await countItemsOf(this.#store.reads, repo.id)
    if (size !== undefined && size > count) throw fail('LOG_RANGE_NOT_FOUND')
    const log = this.#of(repo)
    const waited = new AbortController()
    const tooLong = sleep(waitMs, undefined, { signal: waited.signal }).then(() => {
      throw fail('OVERLOADED')
    })
    try {
      await Promise.race([log.grow(size ?? count), tooLong])
    } finally {
      waited.abort()
      tooLong.catch(() => {})
    }
    return { repo, log, size: size ?? count }
  }

  /** Begins to bring all logs up to date; where that is under way, looks once more when it is done. */
  wake(): void {
    this.#isRequested = true
    this.#running ??= this.#growRequested()
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted) this.#on.error(error)
      })
      .finally(() => (this.#running = undefined))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #growRequested(): Promise<void> {
    while (this.#isRequested) {
      this.#isRequested = false
      const grown = await this.#store.exclusively('logs', () => this.#growAll())
      if (grown !== undefined) continue
      // Another process is at it, and may have looked for the last time already.
      this.#isRequested = true
      await sleep(turnMs, undefined, { signal: this.#stopping.signal })
    }
  }

  async #growAll(): Promise<'all'> {
    const { reads } = this.#store
    for (const id of await listRepoIds(reads)) {
      const repo = await findDatasetById(reads, id)
      try {
        if (repo === undefined) continue
        const log = this.#of(repo)
        await log.grow(await countItemsOf(reads, id))
        if (this.#isCompared) continue
        const fault = await this.#guard.findFault({ repo, log })
        if (fault !== undefined) this.#on.fault(repo, fault)
        // So are all others.
        if (fault?.kind === 'lost') this.#isCompared = true
      } catch (error) {
        // It may have been deleted meanwhile.
        if ((await findDatasetById(reads, id)) === undefined) continue
        if (!(error instanceof Failure && error.code === 'LOG_DAMAGED')) throw error
        this.#on.error(error, repo)
      }
    }
    this.#isCompared = true
    return 'all'
  }

  /** Opens the log of a revision of a repository: the columns of an entry depend on the schema. */
  #of(repo: Dataset): RepoLog {
    return this.#open.get(
      `${repo.id} ${repo.revision}`,
      () => new RepoLog(this.#store, repo, this.#stopping.signal),
    )
  }
}
