import { setTimeout as sleep } from 'node:timers/promises'
import { fail, Failure } from '../failure.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import { findDataset, findDatasetById, listRepoIds } from '../store/datasets.ts'
import type { Dataset } from '../store/datasets.ts'
import type { Store } from '../store/store.ts'
import { readAuditHead } from '../store/audit-log.ts'
import { AuditTree } from './audit-tree.ts'
import { RepoLog } from './repo-log.ts'
import type { CheckpointGuard, GuardedLog, LogFault } from './checkpoint-guard.ts'

/** Logs that are kept open. */
const openMax = 1000
/** How long a request waits for a log that has far to go, as after an upgrade. */
const waitMs = 30_000
/** How long another process is left to bring the logs up to date before it is looked again. */
const turnMs = 2_000

/** A log up to an entry: that of a repository, or the audit log. */
export type LogState = GuardedLog & { size: number; repo?: Dataset }

export type RepoLogState = LogState & { repo: Dataset; log: RepoLog }

export type LogEvents = {
  /** All logs could not be brought up to date, or one of them. */
  error: (error: unknown, repo?: Dataset) => void
  /** A log cannot be signed; without a repository, the audit log. */
  fault: (fault: LogFault, repo?: Dataset) => void
}

/** The logs of an installation: those of its repositories, brought up to date in the background, and the audit log. */
export class Logs {
  readonly #store: Store
  readonly #guard: CheckpointGuard
  readonly #on: LogEvents
  readonly #open = new LruCache<string, RepoLog>(openMax)
  readonly #stopping = new AbortController()
  readonly #auditTree: AuditTree
  /** Whether all logs were compared with what was signed of them, as once after a start. */
  #isCompared = false
  #isRequested = false
  #running: Promise<void> | undefined

  constructor(store: Store, guard: CheckpointGuard, on: LogEvents) {
    this.#store = store
    this.#auditTree = new AuditTree(store, this.#stopping.signal)
    this.#guard = guard
    this.#on = on
  }

  /**
   * Finds the log of a repository as it is now, or as it was when it had `size` entries.
   * @throws Failure REPO_NOT_FOUND, LOG_RANGE_NOT_FOUND, OVERLOADED
   */
  async find(name: string, size?: number): Promise<RepoLogState> {
    const repo = await findDataset(this.#store.reads, name)
    if (repo?.kind !== 'repo') throw fail('REPO_NOT_FOUND')
    return {
      ...(await this.#grown({ log: this.#of(repo), generation: repo.generation }, size)),
      repo,
    }
  }

  /**
   * Finds the audit log as it is now, or as it was when it had `size` entries.
   * @throws Failure LOG_RANGE_NOT_FOUND, LOG_DAMAGED, OVERLOADED
   */
  async findAudit(size?: number): Promise<LogState> {
    const { generation } = await readAuditHead(this.#store.reads)
    return this.#grown({ log: this.#auditTree, generation }, size)
  }

  async #grown<Log extends GuardedLog>(
    guarded: Log,
    size?: number,
  ): Promise<Log & { size: number }> {
    const { log } = guarded
    const count = await log.count()
    if (size !== undefined && size > count) throw fail('LOG_RANGE_NOT_FOUND')
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
    return { ...guarded, size: size ?? count }
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
    if (!this.#isCompared) await this.#compareAudit()
    for (const id of await listRepoIds(reads)) {
      const repo = await findDatasetById(reads, id)
      try {
        if (repo === undefined) continue
        const log = this.#of(repo)
        await log.grow(await log.count())
        if (this.#isCompared) continue
        const fault = await this.#guard.findFault({ log, generation: repo.generation })
        if (fault !== undefined) this.#on.fault(fault, repo)
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

  async #compareAudit(): Promise<void> {
    const { generation } = await readAuditHead(this.#store.reads)
    const fault = await this.#guard.findFault({ log: this.#auditTree, generation })
    if (fault === undefined) return
    this.#on.fault(fault)
    // So are all others.
    if (fault.kind === 'lost') this.#isCompared = true
  }

  /** Opens the log of a revision of a repository: the columns of an entry depend on the schema. */
  #of(repo: Dataset): RepoLog {
    return this.#open.get(
      `${repo.id} ${repo.revision}`,
      () => new RepoLog(this.#store, repo, this.#stopping.signal),
    )
  }
}
