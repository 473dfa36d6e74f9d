import type { DatasetInfo } from '@vitrine/contract'
import { ApiError } from './api-error.ts'
import type { Client } from './client.ts'
import type { CallOptions } from './send.ts'

/** Deletes a dataset by the call that fits its kind. */
export async function deleteDataset(
  client: Client,
  info: Pick<DatasetInfo, 'name' | 'view' | 'repo'>,
  options?: CallOptions,
): Promise<void> {
  if (info.view !== undefined) return client.viewDelete({ datasetId: info.name }, options)
  if (info.repo !== undefined) return client.repoDelete({ datasetId: info.name }, options)
  throw new ApiError('dataset is neiter view nor repo: invalid')
}

/**
 * Deletes a repository that was created for a file which could not be imported, unless it has items.
 * @returns whether it was deleted
 */
export async function deleteEmptyRepo(client: Client, datasetId: string): Promise<boolean> {
  const { totalItems } = await client.datasetCount({ datasetId })
  if (totalItems > 0) return false
  await client.repoDelete({ datasetId })
  return true
}
