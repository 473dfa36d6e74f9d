import { type Dataset, countItems, findDatasetById, findNextRepo } from '../../store/datasets.ts'
import {
  type DamagedValue,
  brokenValue,
  forgetValues,
  hasValueDamage,
  listDamagedItems,
  recordValueDamage,
} from '../../store/damage.ts'
import { leafOf } from '../../store/leaf.ts'
import { type LogEntries, type LogEntry, prepareLogEntries } from '../../store/log-entries.ts'
import {
  type SealedRow,
  type SealedRows,
  brokenSeals,
  prepareSealedRows,
} from '../../store/sealed-rows.ts'
import type { ScrubContext, ScrubStep } from './scrub.ts'

/** Limits of what is read at once: some ten milliseconds of the event loop. */
export const windowMax = { rows: 500, values: 5000, bytes: 1024 ** 2 }
/** Items with noted damage that a step reads once more. */
const recheckedMax = 500
/** Values named in one line of the log. */
const namedMax = 20

/** Reads items with noted damage once more, those first that were not for longest; returns how many. */
export async function recheckRows(context: ScrubContext, step: ScrubStep): Promise<number> {
  const noted = await listDamagedItems(context.store.reads, recheckedMax)
  for (const [repoId, items] of Map.groupBy(noted, ({ datasetId }) => datasetId)) {
    const itemIds = items.map(({ itemId }) => itemId)
    await step.work(() => noteDamageOf(context, repoId, itemIds))
  }
  return noted.length
}

/** Reads rows from the one that a round has come to on to as many as the round shall have read. */
export async function scrubRows(context: ScrubContext, step: ScrubStep): Promise<number> {
  const { reads, prepareInWorker } = context.store
  const before = await countItems(reads, step.round.rows)
  const due = step.share === 1 ? Infinity : Math.floor((await countItems(reads)) * step.share)
  let read = 0
  let open: { repo: Dataset; rows: SealedRows; entries: LogEntries } | undefined
  for (;;) {
    const next = await findNextRepo(reads, step.round.rows)
    if (next === undefined) return read
    const { repo, from, count } = next
    if (open?.repo.id !== repo.id) {
      const rows = prepareSealedRows(prepareInWorker, repo)
      open = { repo, rows, entries: prepareLogEntries(prepareInWorker, repo) }
    }
    const fields = Math.max(1, open.rows.fields.length)
    const size = Math.max(1, Math.min(windowMax.rows, Math.floor(windowMax.values / fields)))
    const to = Math.min(from + size, count, from + due - before - read)
    if (to <= from) return read
    await checkRange({ context, step, ...open }, { from, to })
    read += to - from
    await step.save({ rows: { repoId: repo.id, position: to } })
  }
}

type Checking = {
  context: ScrubContext
  step: ScrubStep
  repo: Dataset
  rows: SealedRows
  entries: LogEntries
}

/** Checks the rows of some positions, in parts where they are large or where some cannot be read. */
async function checkRange(checking: Checking, range: { from: number; to: number }): Promise<void> {
  const { context, step, repo, rows } = checking
  const { store, logger } = context
  const { from, to } = range
  const isOne = to - from === 1
  let sealed: SealedRow[] | undefined
  try {
    sealed = await step.work(async () =>
      isOne || (await rows.bytes(range)) <= windowMax.bytes ? rows.range(range) : undefined,
    )
  } catch (error) {
    step.signal.throwIfAborted()
    // It throws where the whole database cannot be read.
    if ((await findDatasetById(store.reads, repo.id)) === undefined) return
    if (isOne) {
      logger.error({ err: error, dataset: repo.name, position: from }, 'an item cannot be read')
      return
    }
  }
  if (sealed === undefined) {
    const middle = Math.floor((from + to) / 2)
    await checkRange(checking, { from, to: middle })
    return checkRange(checking, { from: middle, to })
  }
  const missing = to - from - sealed.length
  if (missing > 0 && (await findDatasetById(store.reads, repo.id)) !== undefined) {
    const facts = { dataset: repo.name, from, to, missing }
    logger.fatal(facts, 'committed items are missing from the database')
  }
  const itemIds = sealed.map(({ id }) => id)
  const isDamaged = sealed.some((row) => brokenSeals(rows.fields, row).length > 0)
  if (isDamaged || (await hasValueDamage(store.reads, { datasetId: repo.id, itemIds }))) {
    await noteDamageOf(context, repo.id, itemIds)
  }
  await checkEntries(checking, range)
}

/** Compares items with the hashes of their entries in the log, and logs those that have another one. */
async function checkEntries(
  { context, step, repo, entries }: Checking,
  range: { from: number; to: number },
): Promise<void> {
  const { store, logger } = context
  let read: LogEntry[]
  try {
    read = await step.work(() => entries.range(range))
  } catch (error) {
    if ((await findDatasetById(store.reads, repo.id)) === undefined) return
    throw error
  }
  // Items of before there was a log have no hash.
  const differing = read.filter(
    ({ entry, leaf, isAltered }) => leaf && !isAltered && !leafOf(entry).equals(leaf),
  )
  if (differing.length === 0) return
  const items = differing.slice(0, namedMax).map(({ entry }) => entry.id)
  const facts = { dataset: repo.name, count: differing.length, items }
  logger.fatal(facts, 'entries of the log are not what their items say')
}

/** Reads items, with the schema as it is now, notes which of their values are damaged, and logs them. */
async function noteDamageOf(
  { store, logger }: ScrubContext,
  repoId: number,
  itemIds: number[],
): Promise<void> {
  const repo = await findDatasetById(store.reads, repoId)
  if (repo === undefined) return store.write((transaction) => forgetValues(transaction, repoId))
  const rows = prepareSealedRows(store.prepareInWorker, repo)
  const damaged: DamagedValue[] = []
  for (const itemId of itemIds) {
    const row = await rows.get(itemId)
    for (const broken of row === undefined ? [] : brokenSeals(rows.fields, row)) {
      damaged.push({ itemId, ...broken })
    }
  }
  await store.write((transaction) =>
    recordValueDamage(transaction, { datasetId: repoId, itemIds }, damaged),
  )
  if (damaged.length === 0) return
  const values = damaged
    .slice(0, namedMax)
    .map(({ itemId: item, ...value }) => ({ dataset: repo.name, item, ...value }))
  const facts = { what: brokenValue, count: damaged.length, values }
  logger.fatal(facts, 'committed values are not what was sealed')
}
