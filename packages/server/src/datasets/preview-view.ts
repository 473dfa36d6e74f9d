import type { ViewPreview } from '@vitrine/contract'
import type { Store } from '../store/store.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'
import { requireView } from './require-view.ts'

/**
 * Previews a view by its description, without creating it.
 * @throws Failure REQUEST_INVALID
 */
export async function previewView(
  { reads }: Store,
  datasets: DatasetReader,
  input: unknown,
): Promise<ViewPreview> {
  for (;;) {
    const preview = await datasets.preview(await requireView(reads, input))
    // A dataset that it needs may have been deleted since the check, which the next one finds.
    if (preview !== undefined) return preview
  }
}
