import type { Client } from '@vitrine/client'
import {
  checkRepoDescription,
  metadataKeys,
  type DatasetInfo,
  type MetadataKey,
  type Problem,
} from '@vitrine/contract'

/** Texts of a form by key; empty where the repository has none. */
export type MetadataTexts = Record<MetadataKey, string>

export function metadataTexts(info: DatasetInfo): MetadataTexts {
  const current = info.repo ?? {}
  const textOf = (key: MetadataKey) => (typeof current[key] === 'string' ? current[key] : '')
  return Object.fromEntries(metadataKeys.map((key) => [key, textOf(key)])) as MetadataTexts
}

/** Texts of a form when it was opened, and now. */
export type MetadataEdit = { before: MetadataTexts; after: MetadataTexts }

/** Keys in which two differ. */
export function changedKeys(before: MetadataTexts, after: MetadataTexts): MetadataKey[] {
  return metadataKeys.filter((key) => before[key] !== after[key])
}

/** Thrown where texts of the form do not fit: problems by key. */
export class MetadataUnfit extends Error {
  override name = 'MetadataUnfit'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super('The metadata has a problem')
    this.problems = problems
  }
}

/** Somebody else has changed the same meanwhile. */
export class MetadataConflict extends Error {
  override name = 'MetadataConflict'
  /** Current texts of keys that were changed here too. */
  readonly replaced: Partial<MetadataTexts>

  constructor(replaced: Partial<MetadataTexts>) {
    super(`Somebody else has changed ${Object.keys(replaced).join(' and ')} meanwhile`)
    this.replaced = replaced
  }
}

/**
 * Changes what a repository says of itself, and leaves alone what was not changed here: its schema, and
 * what others have changed since.
 *
 * @throws MetadataUnfit, MetadataConflict, ApiError
 */
export async function saveMetadata(
  client: Client,
  datasetId: string,
  { before, after }: MetadataEdit,
): Promise<DatasetInfo> {
  const latest = await client.datasetGet({ datasetId })
  const there = metadataTexts(latest)
  const changed = changedKeys(before, after)
  const conflicts = changed.filter((key) => there[key] !== before[key] && there[key] !== after[key])
  if (conflicts.length > 0) {
    throw new MetadataConflict(Object.fromEntries(conflicts.map((key) => [key, there[key]])))
  }
  const body: Record<string, unknown> = { ...latest.repo }
  for (const key of changed) {
    if (after[key] === '') delete body[key]
    else body[key] = after[key]
  }
  const checked = checkRepoDescription(body)
  if (!checked.ok) throw new MetadataUnfit(checked.problems)
  return client.repoExtend({ datasetId, body: checked.value })
}
