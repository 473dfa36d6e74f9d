import { fail } from '../failure.ts'
import { countItemsOf, findDatasetById, lockDatasetById, type Dataset } from '../store/datasets.ts'
import { prepareLogEntries, type LogEntries } from '../store/log-entries.ts'
import { LogTree, type LogStore } from './log-tree.ts'

/** The log of a repository, whose entries follow from its items. */
export class RepoLog extends LogTree {
  readonly entries: LogEntries

  constructor(
    store: LogStore,
    { id, ...repo }: Pick<Dataset, 'id' | 'schema' | 'nonces'>,
    stopping: AbortSignal,
  ) {
    const entries = prepareLogEntries(store.prepareInWorker, { id, ...repo })
    const leaves = {
      id,
      count: () => countItemsOf(store.reads, id),
      list: entries.leaves,
      hold: async (transaction: Parameters<typeof lockDatasetById>[0]) => {
        // Of a repository that was deleted meanwhile nothing may be left.
        if ((await lockDatasetById(transaction, id)) === undefined) throw fail('REPO_NOT_FOUND')
      },
      // Of a repository that is there, rows were removed behind our back.
      failForMissing: async () => {
        const isThere = (await findDatasetById(store.reads, id)) !== undefined
        throw fail(isThere ? 'LOG_DAMAGED' : 'REPO_NOT_FOUND')
      },
    }
    super(store, leaves, stopping)
    this.entries = entries
  }
}
