import type { Blobs } from '../../blobs/blobs.ts'
import { Failure } from '../../failure.ts'
import { RepoLog } from '../../log/repo-log.ts'
import { faultText, type LogFault, CheckpointGuard } from '../../log/checkpoint-guard.ts'
import { findDatasetById, listRepoIds } from '../../store/datasets.ts'
import { keepsCheckpoints } from '../../store/installation.ts'
import type { ExistingStore } from '../../store/open-existing.ts'
import { type Diagnosis, ok, skipped, wrong } from './diagnosis.ts'

const remedies: Record<LogFault['kind'], string> = {
  lost: 'put the folder `checkpoints` of the blobs that it had in its place',
  shorter: 'restore a newer backup',
  other: 'restore a newer backup',
}

/** The tree of a log is not whole, and the doctor writes nothing. */
class IncompleteTree extends Error {}

/** Compares the logs of all repositories with what was signed of them. */
export async function* diagnoseLogs(
  { reads, prepare }: ExistingStore,
  checkpoints: Blobs['checkpoints'],
): AsyncGenerator<Diagnosis> {
  const guard = new CheckpointGuard({ db: reads, checkpoints })
  const write = () => Promise.reject(new IncompleteTree())
  const never = new AbortController().signal
  if (!(await keepsCheckpoints(reads))) {
    yield ok('logs', 'no start of this version has signed one yet')
    return
  }
  let total = 0
  let signable = 0
  for (const id of await listRepoIds(reads)) {
    const repo = await findDatasetById(reads, id)
    if (repo === undefined) continue
    total += 1
    const log = new RepoLog({ reads, prepareInWorker: prepare, write }, repo, never)
    try {
      const fault = await guard.findFault({ repo, log })
      if (fault === undefined) signable += 1
      else yield wrong('logs', faultText(repo.name, fault), changeFor(fault))
      if (fault?.kind === 'lost') return
    } catch (error) {
      if (error instanceof IncompleteTree) {
        yield skipped('logs', `the next start completes the log of ${repo.name}`)
      } else if (error instanceof Failure && error.code === 'LOG_DAMAGED') {
        const finding = `items of the log of ${repo.name} are missing from the database`
        yield wrong(
          'logs',
          finding,
          'put them back from a backup; vitrine verify --data names them',
        )
      } else throw error
    }
  }
  if (signable === total) yield ok('logs', `${total} of ${total} go on from what was signed`)
}

const changeFor = ({ kind }: LogFault): string =>
  `${remedies[kind]}; or let it begin anew: vitrine log renew`
