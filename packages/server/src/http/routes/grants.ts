import { api, check, fitsPattern, foldSearch } from '@vitrine/contract'
import { type Granting, grantRole, revokeRole } from '../../access/grant-role.ts'
import { expectChecked, fail } from '../../failure.ts'
import { findDataset } from '../../store/datasets.ts'
import { listGrants } from '../../store/grants.ts'
import { findPerson, listKnownGroups, listKnownPeople } from '../../store/people.ts'
import type { Store } from '../../store/store.ts'
import type { Handlers } from '../route.ts'

/** Answers calls about who may do what on a dataset (docs/roles.md). */
export function grantHandlers(
  store: Store,
  { roles, people }: Pick<Granting, 'roles' | 'people'>,
): Pick<Handlers, 'grantList' | 'grantSet' | 'grantRevoke' | 'personList' | 'groupList'> {
  const { reads } = store
  const requireDataset = async (name: string) => {
    if (!roles.areOn) throw fail('ROLES_OFF')
    const dataset = await findDataset(reads, name)
    if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
    return dataset
  }
  return {
    grantList: async ({ params, query }) => {
      const { id, createdBy } = await requireDataset(params.datasetId)
      return {
        everyone: roles.everyone,
        creator: await findPerson(reads, createdBy),
        groups: roles.groupRoles.filter((each) => fitsPattern(each, params.datasetId)),
        grants: await listGrants(reads, { datasetId: id, ...query }),
      }
    },
    grantSet: ({ params, body, identity }) => {
      const grant = expectChecked('REQUEST_INVALID', check(api.grantSet.body, body))
      return grantRole(store, params.datasetId, grant, { identity, roles, people })
    },
    grantRevoke: ({ params, identity }) =>
      revokeRole(store, params.datasetId, params.grantId, { identity, roles, people }),
    personList: async ({ params, query }) => {
      await requireDataset(params.datasetId)
      return listKnownPeople(reads, { ...people, ...query })
    },
    groupList: async ({ params, query: { q, page, pageSize } }) => {
      await requireDataset(params.datasetId)
      if (!people.readsGroups) return []
      const configured = roles.groupRoles.map(({ group }) => group)
      const groups = new Set([...configured, ...(await listKnownGroups(reads))])
      return [...groups]
        .filter((group) => foldSearch(group).includes(foldSearch(q)))
        .toSorted()
        .slice(page * pageSize, (page + 1) * pageSize)
    },
  }
}
