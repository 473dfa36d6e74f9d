import { checkView, problemText, withSchemas, type CheckedView } from '@vitrine/contract'
import { findDataset, type Dataset } from '../store/datasets.ts'
import { addReferences, raiseRevision, updateSchema } from '../store/extended-datasets.ts'
import { dropListingsOf } from '../store/listings.ts'
import type { Transaction } from '../store/store.ts'

/** A view that makes no sense any more, and why. */
export type BrokenView = { name: string; reason: string }

/**
 * Reads the views among datasets that depend on one whose schema is about to change. `inferAgain` gives
 * them the schemas that follow from the changed one, each after those that it depends on, and leaves the
 * orders of those whose sort keys are written otherwise to be made again.
 */
export async function inferViews(
  transaction: Transaction,
  dependents: readonly Dataset[],
): Promise<{ inferAgain: () => Promise<BrokenView | undefined> }> {
  const before = new Map<number, CheckedView>()
  for (const dataset of dependents) {
    if (dataset.kind === 'repo') continue
    const checked = await infer(transaction, dataset)
    if (checked.ok) before.set(dataset.id, checked.value)
  }

  const inferAgain = async () => {
    const reordered = new Set<number>()
    for (const dataset of dependents) {
      const { id, name } = dataset
      if (dataset.kind === 'repo') {
        await raiseRevision(transaction, id)
        continue
      }
      const checked = await infer(transaction, dataset)
      if (!checked.ok) return { name, reason: problemText(checked.problems[0]!) }
      const { schema, referencesTo } = checked.value
      await updateSchema(transaction, id, { schema })
      const targets = await Promise.all(
        referencesTo.map(async (target) => (await findDataset(transaction, target))!.id),
      )
      await addReferences(transaction, id, targets)
      const isReordered =
        reordered.has(dataset.baseId) || missingKeys(before.get(id)) !== missingKeys(checked.value)
      if (!isReordered) continue
      reordered.add(id)
      await raiseRevision(transaction, id, 'order_revision')
      await dropListingsOf(transaction, id)
    }
    return undefined
  }
  return { inferAgain }
}

function infer(transaction: Transaction, { definition }: Dataset) {
  return withSchemas(
    (resolve) => checkView({ ...definition, description: undefined }, resolve, { isKept: true }),
    async (name) => (await findDataset(transaction, name))?.schema,
  )
}

/** Says which keys of an order may be missing: such a key is written with a byte that says so. */
function missingKeys(view: CheckedView | undefined): string {
  return view === undefined ? '' : view.order.map(({ path }) => Number(path.optional)).join('')
}
