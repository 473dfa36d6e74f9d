import { quote } from '@vitrine/contract'
import { Failure } from '../failure.ts'
import { readDatasetInfo, type Dataset } from '../store/datasets.ts'
import type { Db } from '../store/store.ts'

const kinds = { repo: 'a repository', view: 'a view' }

/** Repositories and views share one namespace, so a name may be taken by the other kind. */
export async function refuseTakenName(
  db: Db,
  code: 'REPO_NAME_TAKEN' | 'VIEW_NAME_TAKEN',
  existing: Dataset,
): Promise<never> {
  const reason = `${quote(existing.name)} is the name of ${kinds[existing.kind]} with another definition`
  throw new Failure(code, {
    details: { problems: [{ path: ['name'], reason }] },
    existing: await readDatasetInfo(db, existing),
  })
}
