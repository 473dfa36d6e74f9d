import { listDatasetIds } from '../../store/datasets.ts'
import { type Fault, checkDataset } from './check-derived.ts'
import type { ScrubContext, ScrubStep } from './scrub.ts'

/**
 * Compares what is derived of the datasets that are due by now, each wholly. What is wrong is dropped, and told in
 * the log. Explorations are known by a digest of what was asked, so they are dropped once a round instead.
 * @returns how many datasets were compared
 */
export async function scrubDerived(context: ScrubContext, step: ScrubStep): Promise<number> {
  const { store, datasets } = context
  const ids = await listDatasetIds(store.reads)
  const rest = ids.filter((id) => id > step.round.derivedTo)
  const count = step.share === 1 ? ids.length : Math.floor(ids.length * step.share)
  const due = rest.slice(0, Math.max(0, count - (ids.length - rest.length)))
  for (const id of due) {
    const fault = await findFault(context, step, id)
    if (fault !== undefined) {
      const { repoId, where: dataset, what } = fault
      await datasets.dropDerived(repoId)
      context.logger.error({ dataset, what }, 'what is derived of items is made again')
    }
    await step.save({ derivedTo: id })
  }
  if (step.share === 1) await datasets.dropIdleExplorations(0)
  return due.length
}

async function findFault(
  context: ScrubContext,
  step: ScrubStep,
  id: number,
): Promise<Fault | undefined> {
  const checks = checkDataset(context, id, 'whole')
  for (;;) {
    const { done, value } = await step.work(() => checks.next())
    if (done === true) return value
  }
}
