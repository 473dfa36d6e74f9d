import { setTimeout as sleep } from 'node:timers/promises'
import {
  type DatasetSummary,
  type FieldSummary,
  type ScanProgress,
  type SchemaField,
  textOf,
} from '@vitrine/contract'
import type { Sequence } from '../../language/sequence.ts'
import type { Shown } from '../../language/shown-fields.ts'
import { fail } from '../../failure.ts'
import type { ReadOptions } from '../../listings/catch-up.ts'
import type { Wait, Waits } from '../../listings/waits.ts'
import { FairQueue } from '../../runtime/fair-queue.ts'
import {
  type SummaryOwner,
  type SummaryRow,
  findSummary,
  keepSummary,
  readSummaryState,
} from '../../store/summaries.ts'
import { type FoldedField, Fold } from './fold.ts'
import { type FoldSession, type WorkerFold, openFold, openFoldPool } from './worker-fold.ts'
import { storedTypes } from '../../values/stored-types.ts'
import type { ReadContext } from '../read-context.ts'
import type { ReadResult } from '../read-result.ts'
import type { SnapshotColumn } from '../snapshot.ts'
import { type SummarySource, openSummarySource } from './summary-source.ts'

/** Subject of a summary: a dataset, or an exploration of it. */
export type Summarized = {
  owner: SummaryOwner
  /** Revision of the dataset. */
  revision: number
  schema: readonly SchemaField[]
  sequence: Sequence
  shown: Shown
}

/** Goes up when states are written otherwise: those of before are made anew. */
const stateVersion = 1
/** Summaries that are made at once. */
const foldedAtOnce = 2
/** How often it is kept how far a long one is, in milliseconds. */
const keepEveryMs = 5_000
/** How often it is looked whether another process has made one. */
const madeElsewhereMs = 50

type Kept = Pick<SummaryRow, 'basis' | 'fields' | 'scanned' | 'items' | 'summary'>

/** A summary that is being made. */
type Run = {
  /** False when the dataset was deleted or replaced. */
  done: Promise<boolean>
  fold: WorkerFold | undefined
}

/**
 * Says what the values of datasets are. Items are only ever added, so a summary goes on from where it was: it is
 * kept, and caught up when somebody asks, in a thread (docs/decisions/summaries.md).
 */
export class Summaries {
  readonly #context: ReadContext
  readonly #waits: Waits
  readonly #onError: (error: unknown) => void
  readonly #pool = openFoldPool()
  readonly #turns = new FairQueue(foldedAtOnce)
  /** By owner and fields: whoever asks with a field that is new gets no part of a summary without it. */
  readonly #runs = new Map<string, Run>()
  #isStopped = false

  constructor(
    context: ReadContext,
    { waits, onError }: { waits: Waits; onError: (error: unknown) => void },
  ) {
    this.#context = context
    this.#waits = waits
    this.#onError = onError
  }

  /**
   * The summary of what there is now; undefined where that was deleted or extended meanwhile.
   * @throws Failure VIEW_NOT_READY where a part will not do and it takes too long
   */
  async read(
    summarized: Summarized,
    options: ReadOptions = {},
  ): Promise<ReadResult<DatasetSummary> | undefined> {
    const { budgets } = this.#context
    const ms = options.partial === true ? budgets.partial : budgets.whole
    using wait = this.#waits.begin(ms, options.signal?.())
    const source = await openSummarySource(this.#context, summarized, options)
    if (source.basis === undefined) {
      return resultOf({ items: 0, fields: emptyFields(summarized) }, source.progress)
    }
    return await this.#reach(wait, { summarized, source, options })
  }

  /** Ends what is being made; how far it was is kept as of a few seconds ago. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#turns.releaseAll()
    await Promise.allSettled([...this.#runs.values()].map(({ done }) => done))
    await this.#pool.close()
  }

  async #reach(
    wait: Wait,
    {
      summarized,
      source,
      options,
    }: { summarized: Summarized; source: SummarySource; options: ReadOptions },
  ): Promise<ReadResult<DatasetSummary> | undefined> {
    const { reads } = this.#context.store
    for (;;) {
      const stored = await findSummary(reads, summarized.owner)
      const isKept = stored !== undefined && goesOn(stored, summarized, source)
      if (isKept && stored.fields === fieldsKey(summarized) && stored.items >= source.end.items) {
        const { items, summary } = stored
        const part = source.isWhole ? undefined : source.progress
        return resultOf({ items, fields: JSON.parse(summary) as FieldSummary[] }, part)
      }
      const run = this.#run(summarized, source)
      const isThere = await wait.for(run.done)
      if (isThere === false) return undefined
      if (isThere === true) continue
      const folded = await run.fold?.peek().catch(() => undefined)
      const items = folded?.items ?? (isKept ? stored.items : 0)
      const progress = progressOf(source, items)
      if (options.partial !== true) throw fail('VIEW_NOT_READY', { progress })
      const fields = folded?.fields ?? (isKept ? stored.summary : undefined)
      return resultOf(
        {
          items,
          fields:
            fields === undefined ? emptyFields(summarized) : (JSON.parse(fields) as FieldSummary[]),
        },
        progress,
      )
    }
  }

  /** Shared by all who ask for the same. */
  #run(summarized: Summarized, source: SummarySource): Run {
    const { datasetId, exploration } = summarized.owner
    const key = `${datasetId} ${exploration} ${fieldsKey(summarized)}`
    const running = this.#runs.get(key)
    if (running !== undefined) return running
    const run: Run = { done: Promise.resolve(true), fold: undefined }
    run.done = this.#turns
      .run(String(datasetId), () => this.#fold(run, summarized, source))
      .finally(() => this.#runs.delete(key))
    run.done.catch((error: unknown) => {
      if (!this.#isStopped) this.#onError(error)
    })
    this.#runs.set(key, run)
    return run
  }

  async #fold(run: Run, summarized: Summarized, source: SummarySource): Promise<boolean> {
    const { datasetId, exploration } = summarized.owner
    const isThere = await this.#context.store.exclusively(
      `summary ${datasetId} ${exploration}`,
      async ({ check }) => {
        try {
          // Where the thread exits, it goes on from what is kept.
          return await this.#pool.use((session) =>
            this.#foldAlone(run, { summarized, source, session, check }),
          )
        } finally {
          run.fold = undefined
        }
      },
    )
    if (isThere === undefined) await sleep(madeElsewhereMs)
    return isThere ?? true
  }

  async #foldAlone(
    run: Run,
    {
      summarized,
      source,
      session,
      check,
    }: {
      summarized: Summarized
      source: SummarySource
      session: FoldSession
      check: () => void
    },
  ): Promise<boolean> {
    const { reads } = this.#context.store
    const stored = await findSummary(reads, summarized.owner)
    const isKept = stored !== undefined && goesOn(stored, summarized, source)
    if (isKept && stored.fields === fieldsKey(summarized) && stored.items >= source.end.items)
      return true
    const canGoOn = isKept && stored.items <= source.end.items
    const state = canGoOn ? await readSummaryState(reads, summarized.owner) : undefined
    const fields = foldedFields(summarized)
    const goneOn =
      state && (await openFold(session, fields, state).catch((error) => this.#onError(error)))
    const fold = goneOn ?? (await openFold(session, fields, undefined))
    const covered = goneOn ? stored! : { scanned: 0, items: 0 }
    run.fold = fold
    const keep = async (scanned: number) => {
      check()
      return this.#keep(summarized, { source, scanned, folded: await fold.keep() })
    }
    const { items } = source.end
    let [folded, keptAt] = [covered.items, performance.now()]
    const columns = columnsOf(fields)
    try {
      for await (const rows of source.snapshot(covered).read(items, columns)) {
        if (this.#isStopped) throw new Error('the server is stopping')
        await fold.add(rows)
        folded += rows.count
        if (!source.isResumable || performance.now() - keptAt < keepEveryMs) continue
        keptAt = performance.now()
        if (!(await keep(folded))) return false
      }
    } catch (error) {
      // Of a dataset or a listing that was removed meanwhile the tables are empty, or gone.
      if (this.#isStopped || (await keep(folded).catch(() => true))) throw error
      return false
    }
    return keep(source.end.scanned)
  }

  async #keep(
    summarized: Summarized,
    {
      source,
      scanned,
      folded,
    }: {
      source: SummarySource
      scanned: number
      folded: Required<Awaited<ReturnType<WorkerFold['keep']>>>
    },
  ): Promise<boolean> {
    const { owner, revision } = summarized
    const row = {
      dataset_id: owner.datasetId,
      exploration: owner.exploration,
      listing_id: source.listingId,
      basis: source.basis,
      fields: fieldsKey(summarized),
      scanned,
      items: folded.items,
      summary: folded.fields,
      state: Buffer.from(folded.state),
    }
    return this.#context.store.write((transaction) => keepSummary(transaction, revision, row), {
      derived: true,
    })
  }
}

/** Whether a summary goes on with what there is now: of fields that came later nothing was there before. */
export function goesOn(stored: Kept, summarized: Summarized, { basis }: SummarySource): boolean {
  const before = stored.fields.slice(0, -1)
  return stored.basis === basis && fieldsKey(summarized).startsWith(before)
}

export function fieldsKey({ shown }: Summarized): string {
  return JSON.stringify([stateVersion, ...shown.fields.map(({ name, type }) => `${name} ${type}`)])
}

export function foldedFields({ shown, schema }: Summarized): FoldedField[] {
  return shown.fields.map(({ name, type }) => {
    const field = schema.find((each) => each.name === name)
    const hasChoices = field?.type === 'string' && field.choices !== undefined
    return { name, type, kind: storedTypes[type].summary, hasChoices }
  })
}

function emptyFields(summarized: Summarized): FieldSummary[] {
  return new Fold(foldedFields(summarized)).fields()
}

/** The cells that are folded of each field: its value, and of a binary its media type and its size. */
export function columnsOf(fields: readonly FoldedField[]): SnapshotColumn[] {
  let sealAt = fields.length + 2
  return fields.flatMap(({ type }, index) => {
    const presentAt = index + 1
    const value = { at: presentAt, presentAt }
    if (textOf({ type }) !== undefined) {
      sealAt += 1
      return [value]
    }
    sealAt += 2
    return [value, { at: sealAt - 2, presentAt }, { at: sealAt - 1, presentAt }]
  })
}

/** Never all items of the repository, as what was found in them is not covered yet. */
function progressOf({ progress, end }: SummarySource, items: number): ScanProgress {
  const { scanned, total } = progress
  const covered = end.items === 0 ? 0 : Math.floor((scanned * items) / end.items)
  return { scanned: Math.max(0, Math.min(covered, total - 1)), total }
}

function resultOf(
  { items, fields }: Pick<DatasetSummary, 'items' | 'fields'>,
  part: ScanProgress | undefined,
): ReadResult<DatasetSummary> {
  if (part === undefined) return { value: { items, exact: true, fields } }
  return { value: { items, exact: false, ...part, fields }, progress: part }
}
