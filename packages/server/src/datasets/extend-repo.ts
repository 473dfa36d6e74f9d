import { setTimeout as sleep } from 'node:timers/promises'
import {
  changeText,
  checkRepoDescription,
  compareRepos,
  includesRole,
  quote,
  type DatasetInfo,
  type RepoDescription,
} from '@vitrine/contract'
import { personOf, type Access, type Author } from '../access/identity.ts'
import { expectChecked, fail, Failure } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import { lockDataset, readDatasetInfo, type Dataset } from '../store/datasets.ts'
import { addReferences, listDependents, updateSchema } from '../store/extended-datasets.ts'
import { lockCatalogue } from '../store/leases.ts'
import type { Store, Transaction } from '../store/store.ts'
import { listHidden, type Visibility } from '../store/visibility.ts'
import { findTargets, refuseCircles } from './find-targets.ts'
import { inferViews } from './infer-views.ts'

/**
 * Extends a repository to a description that all its items conform to. They are left as they are, and have
 * no value for new fields; views on them are inferred again. The same description again changes nothing.
 * @param access what whoever asks may do on it: to change more than its metadata takes an owner
 * @throws Failure REQUEST_INVALID, REPO_NOT_FOUND, FORBIDDEN, EXTENSION_REFUSED with the differences and what is there,
 *   OVERLOADED
 */
export function extendRepo(
  store: Store,
  name: string,
  input: unknown,
  { identity, access, visibility }: Author & { access: Access | undefined },
): Promise<DatasetInfo> {
  const description = expectChecked('REQUEST_INVALID', checkRepoDescription(input))
  return onceFree(() =>
    store.writeAlone(async (transaction) => {
      await lockCatalogue(transaction)
      const repo = await lockDataset(transaction, name)
      if (repo?.kind !== 'repo' || repo.id !== access?.datasetId) throw fail('REPO_NOT_FOUND')
      const changes = compareRepos(repo.definition, description)
      const differences = changes.filter(({ reason }) => reason !== undefined)
      if (differences.length > 0) {
        const existing = await readDatasetInfo(transaction, repo, visibility)
        throw new Failure('EXTENSION_REFUSED', { details: { differences }, existing })
      }
      const isExtended = JSON.stringify(repo.schema) !== JSON.stringify(description.schema)
      const needed = isExtended ? 'owner' : 'curator'
      const { role, owners } = access
      if (!includesRole(role, needed)) throw fail('FORBIDDEN', { needed, role, owners })
      if (changes.length === 0) return readDatasetInfo(transaction, repo, visibility)
      await extend(store, transaction, { repo, description, visibility })
      await writeAudit(transaction, {
        what: 'schema-extended',
        by: personOf(identity),
        dataset: repo,
        details: { changes: changes.map(changeText) },
      })
      return readDatasetInfo(transaction, (await lockDataset(transaction, name))!, visibility)
    }),
  )
}

async function extend(
  store: Store,
  transaction: Transaction,
  {
    repo,
    description,
    visibility,
  }: { repo: Dataset; description: RepoDescription; visibility: Visibility },
): Promise<void> {
  const { schema } = description
  const fresh = repo.schema.length
  const targets = await findTargets(transaction, description, { visibility, from: fresh })
  const dependents = await listDependents(transaction, repo.id)
  refuseCircles(description, fresh, targets, dependents)
  const relaxed = repo.schema.flatMap((field, index) =>
    field.optional !== true && schema[index]!.optional === true ? [index] : [],
  )
  const views = await inferViews(transaction, dependents)
  await updateSchema(transaction, repo.id, { definition: description, schema })
  await addReferences(
    transaction,
    repo.id,
    targets.map((target) => target ?? repo.id),
  )
  const broken = await views.inferAgain()
  if (broken !== undefined) {
    const [hidden] = await listHidden(transaction, [broken.name], visibility)
    const view = hidden === undefined ? `the view ${quote(broken.name)}` : 'another view'
    const reason = hidden === undefined ? broken.reason : 'you may not read it'
    throw fail('EXTENSION_REFUSED', {
      differences: [{ change: `${view} would make no sense`, reason }],
    })
  }
  // Last, as from then on nobody reads the table until this is committed.
  await store.extendItemTable(transaction, { id: repo.id, schema, from: fresh, relaxed })
}

/** In milliseconds. Readers of a table that is about to be changed queue, so attempts are short. */
const patience = { whole: 30_000, pause: 300 }

/**
 * In PostgreSQL a table is changed between the transactions that use it, and a long one, such as a backup,
 * would keep all others waiting behind the change: it is given up and tried again.
 */
async function onceFree<T>(attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + patience.whole
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const isBusy = error instanceof Failure && error.code === 'OVERLOADED'
      if (!isBusy || performance.now() > until) throw error
      await sleep(Math.random() * patience.pause)
    }
  }
}
