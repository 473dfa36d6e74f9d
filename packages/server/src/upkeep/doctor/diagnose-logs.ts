import type { Blobs } from '../../blobs/blobs.ts'
import { AuditTree } from '../../log/audit-tree.ts'
import { RepoLog } from '../../log/repo-log.ts'
import { faultText, type LogFault, CheckpointGuard } from '../../log/checkpoint-guard.ts'
import { readAuditHead } from '../../store/audit-log.ts'
import { findDatasetById, listRepoIds } from '../../store/datasets.ts'
import { keepsCheckpoints } from '../../store/installation.ts'
import type { ExistingStore } from '../../store/open-existing.ts'
import { type Diagnosis, ok, skipped, wrong } from './diagnosis.ts'

const renew = 'or let it begin anew: vitrine log renew'

const changes: Record<LogFault['kind'], string> = {
  lost: `put the folder \`checkpoints\` of the blobs that it had in its place; ${renew}`,
  shorter: `restore a newer backup; ${renew}`,
  other: `restore a newer backup; ${renew}`,
  damaged: 'put them back from a backup; vitrine verify --data names them',
}

/** The tree of a log is not whole, and the doctor writes nothing. */
class IncompleteTree extends Error {}

/** Compares the audit log, and the logs of all repositories, with what was signed of them. */
export async function* diagnoseLogs(
  { reads, prepare }: ExistingStore,
  checkpoints: Blobs['checkpoints'],
): AsyncGenerator<Diagnosis> {
  const guard = new CheckpointGuard(checkpoints)
  const write = () => Promise.reject(new IncompleteTree())
  const never = new AbortController().signal
  if (!(await keepsCheckpoints(reads))) {
    yield ok('logs', 'no start of this version has signed one yet')
    return
  }
  const store = { reads, prepareInWorker: prepare, write }
  const { generation } = await readAuditHead(reads)
  const repoIds = await listRepoIds(reads)
  let signable = 0
  try {
    const fault = await guard.findFault({ log: new AuditTree(store, never), generation })
    if (fault === undefined) signable += 1
    else yield wrong('logs', faultText(undefined, fault), changes[fault.kind])
    if (fault?.kind === 'lost') return
  } catch (error) {
    if (!(error instanceof IncompleteTree)) throw error
    yield skipped('logs', 'the next checkpoint completes the audit log')
  }
  for (const id of repoIds) {
    const repo = await findDatasetById(reads, id)
    if (repo === undefined) continue
    const log = new RepoLog(store, repo, never)
    try {
      const fault = await guard.findFault({ log, generation: repo.generation })
      if (fault === undefined) signable += 1
      else yield wrong('logs', faultText(repo.name, fault), changes[fault.kind])
      if (fault?.kind === 'lost') return
    } catch (error) {
      if (!(error instanceof IncompleteTree)) throw error
      yield skipped('logs', `the next start completes the log of ${repo.name}`)
    }
  }
  const total = repoIds.length + 1
  if (signable === total) yield ok('logs', `${signable} of ${total} go on from what was signed`)
}
