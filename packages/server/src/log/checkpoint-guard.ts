import type { CheckpointStore, CheckpointRecord } from '../blobs/blobs.ts'
import { fail, Failure } from '../failure.ts'
import { keepsCheckpoints, noteCheckpoints } from '../store/installation.ts'
import type { Store } from '../store/store.ts'
import type { LogTree } from './log-tree.ts'

/** A log, and the digits by which its origin is told from that of another log of the same name. */
export type GuardedLog = { log: LogTree; generation: string }

/** How often a state is put anew where other processes were faster, each time with entries that came later. */
const attemptsMax = 20

/** Reason why a log is not signed. */
export type LogFault =
  /** The states of all logs are gone, as after a restore to where there was nothing. */
  | { kind: 'lost' }
  /** It has fewer entries than were signed, as after a restore of an older backup. */
  | { kind: 'shorter'; signed: number; entries: number }
  /** Its first entries are others than were signed, as when it went on after such a restore. */
  | { kind: 'other'; signed: number }
  /** Items are missing, so that it cannot be compared. */
  | { kind: 'damaged' }

/**
 * Describes a fault, as a sentence without a full stop.
 * @param repo the name of a repository; undefined for the audit log
 */
export function faultText(repo: string | undefined, fault: LogFault): string {
  const log = repo === undefined ? 'the audit log' : `the log of ${repo}`
  switch (fault.kind) {
    case 'lost':
      return 'what was signed last of each log is not beside the blobs'
    case 'shorter':
      return `${log} has ${fault.entries} entries, and ${fault.signed} were signed: those after entry ${fault.entries} are missing`
    case 'other':
      return `the first ${fault.signed} entries of ${log} are not those that were signed`
    case 'damaged':
      return `${repo === undefined ? 'entries' : 'items'} of ${log} are missing from the database`
  }
}

/** Keeps what is signed of a log from contradicting what was signed before, by whichever process and database. */
export class CheckpointGuard {
  readonly #checkpoints: CheckpointStore

  constructor(checkpoints: CheckpointStore) {
    this.#checkpoints = checkpoints
  }

  /** Makes a place for the states at the first start, and never again: where there is none then, it is lost. */
  static async open(store: Store, checkpoints: CheckpointStore): Promise<CheckpointGuard> {
    if (!(await keepsCheckpoints(store.reads))) {
      await checkpoints.create()
      await noteCheckpoints(store)
    }
    return new CheckpointGuard(checkpoints)
  }

  /**
   * Advances the last state of a log to one that is about to be signed.
   * @throws Failure LOG_NOT_SIGNED, OVERLOADED
   */
  async advance(
    { log, generation, size }: GuardedLog & { size: number },
    rootBytes: Uint8Array,
  ): Promise<void> {
    const root = hexOf(rootBytes)
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const last = await this.#find(generation)
      if (last !== undefined) {
        const isSame = last.size === size && last.root === root
        if (!isSame && (await this.#compare(log, last)) !== undefined) {
          throw fail('LOG_NOT_SIGNED')
        }
        if (last.size >= size) return
      }
      if (await this.#checkpoints.replace(generation, last, { size, root })) return
    }
    throw fail('OVERLOADED')
  }

  /** Compares a log with what was signed of it; returns undefined where it can be signed. */
  async findFault({ log, generation }: GuardedLog): Promise<LogFault | undefined> {
    const last = await this.#checkpoints.find(generation)
    if (last === undefined) {
      return (await this.#checkpoints.isThere()) ? undefined : { kind: 'lost' }
    }
    try {
      return await this.#compare(log, last)
    } catch (error) {
      if (error instanceof Failure && error.code === 'LOG_DAMAGED') return { kind: 'damaged' }
      throw error
    }
  }

  async #find(generation: string): Promise<CheckpointRecord | undefined> {
    const last = await this.#checkpoints.find(generation)
    if (last === undefined && !(await this.#checkpoints.isThere())) throw fail('LOG_NOT_SIGNED')
    return last
  }

  async #compare(
    log: LogTree,
    { size: signed, root }: CheckpointRecord,
  ): Promise<LogFault | undefined> {
    const entries = await log.count()
    if (entries < signed) return { kind: 'shorter', signed, entries }
    await log.grow(signed)
    return hexOf(await log.rootOf(signed)) === root ? undefined : { kind: 'other', signed }
  }
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
