import { openBlobs } from '../../blobs/open-blobs.ts'
import { requireOwnBlobs } from '../../blobs/require-own-blobs.ts'
import { type Config, ConfigError } from '../../config.ts'
import { AuditTree } from '../../log/audit-tree.ts'
import { RepoLog } from '../../log/repo-log.ts'
import { type GuardedLog, type LogFault, CheckpointGuard } from '../../log/checkpoint-guard.ts'
import { readAuditHead, writeAudit } from '../../store/audit-log.ts'
import { type Dataset, findDatasetById, listRepoIds } from '../../store/datasets.ts'
import { renewAudit, renewDeleted, renewGeneration } from '../../store/generations.ts'
import { lockInstallation } from '../../store/lock.ts'
import { openStore } from '../../store/store.ts'

export { faultText } from '../../log/checkpoint-guard.ts'

/** A log that cannot be signed; without a repository, the audit log. */
export type FaultyLog = { repo?: Dataset; generation: string; fault: LogFault }

/** Logs of an installation that cannot be signed, and what lets them begin anew. */
export type FaultyLogs = {
  list: () => Promise<FaultyLog[]>
  /** Gives logs other origins, so that nothing that is signed of them contradicts what was signed before. */
  renew: (logs: readonly FaultyLog[]) => Promise<void>
}

/**
 * Opens an installation for a command. A server may work on one in PostgreSQL meanwhile.
 * @throws ConfigError where database and blobs do not belong together, or a server works on the data folder
 */
export async function withFaultyLogs(
  config: Config,
  work: (logs: FaultyLogs) => Promise<void>,
): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const lock = lockInstallation(config)
  if (lock === undefined) {
    throw new ConfigError(`A server works on the data folder ${config.dataDir}: stop it first.`)
  }
  opened.defer(lock.release)
  const store = await openStore(config)
  opened.defer(store.close)
  const blobs = await openBlobs(config)
  await requireOwnBlobs({ store, blobs }, config.blobs)
  const guard = await CheckpointGuard.open(store, blobs.checkpoints)
  const never = new AbortController().signal

  await work({
    list: async () => {
      const faulty: FaultyLog[] = []
      const { generation } = await readAuditHead(store.reads)
      await add({ log: new AuditTree(store, never), generation })
      for (const id of await listRepoIds(store.reads)) {
        const repo = await findDatasetById(store.reads, id)
        if (repo === undefined) continue
        await add({ log: new RepoLog(store, repo, never), generation: repo.generation }, repo)
      }
      return faulty

      async function add(log: GuardedLog, repo?: Dataset): Promise<void> {
        const fault = await guard.findFault(log)
        // Another origin would not let a damaged one be signed.
        if (fault === undefined || fault.kind === 'damaged') return
        faulty.push({ ...(repo && { repo }), generation: log.generation, fault })
      }
    },

    renew: async (logs) => {
      const isLost = !(await blobs.checkpoints.isThere())
      await store.write(async (transaction) => {
        const renewed: FaultyLog[] = []
        for (const log of logs) {
          const { repo, generation } = log
          const isRenewed =
            repo === undefined
              ? await renewAudit(transaction, generation)
              : await renewGeneration(transaction, repo)
          if (isRenewed) renewed.push(log)
        }
        if (isLost) await renewDeleted(transaction)
        for (const { repo, generation, fault } of renewed) {
          const { kind, ...figures } = fault
          const details = { generation, fault: kind, ...figures }
          await writeAudit(transaction, {
            what: 'log-renewed',
            ...(repo && { dataset: repo }),
            details,
          })
        }
      })
      // Last: from then on a log without a state is one of which nothing was signed.
      await blobs.checkpoints.create()
    },
  })
}
