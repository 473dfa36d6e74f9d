import type { DatasetInfo } from '@vitrine/contract'
import { fail } from '../failure.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'
import type { ReadableDataset } from '../reading/compiled-datasets.ts'
import { findDataset, readDatasetInfo } from '../store/datasets.ts'
import type { Store } from '../store/store.ts'
import { listHidden, type Visibility } from '../store/visibility.ts'

/** A dataset of a bundle: what is known of it, and how its items are read. */
export type BundledDataset = { info: DatasetInfo; readable: ReadableDataset }

/**
 * Finds a dataset and all that it refers to, by its base or by references, and on; each stands after those that it
 * refers to. No two refer to each other, but a repository may refer to itself.
 * @throws Failure DATASET_NOT_FOUND where one was deleted meanwhile, FORBIDDEN where somebody may not read one
 */
export async function bundledDatasets(
  { store, datasets }: { store: Store; datasets: DatasetReader },
  first: string,
  visibility: Visibility,
): Promise<BundledDataset[]> {
  const seen = new Set<string>()
  const bundled: BundledDataset[] = []
  const visit = async (name: string) => {
    seen.add(name)
    const dataset = await findDataset(store.reads, name)
    if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
    const info = await readDatasetInfo(store.reads, dataset, 'all')
    for (const next of info.referencesTo) if (!seen.has(next)) await visit(next)
    const readable = await datasets.find(name)
    if (readable === undefined) throw fail('DATASET_NOT_FOUND')
    bundled.push({ info, readable })
  }
  await visit(first)
  const others = [...seen].filter((name) => name !== first)
  const [hidden] = await listHidden(store.reads, others, visibility)
  if (hidden !== undefined) throw fail('FORBIDDEN', { needed: 'reader', dataset: hidden })
  return bundled
}
