import { includesRole } from '@vitrine/contract'
import { createLink, listTheirLinks, revokeLink } from '../../access/signed-links.ts'
import type { Identity } from '../../access/identity.ts'
import type { Roles } from '../../access/roles.ts'
import { fail } from '../../failure.ts'
import type { Store } from '../../store/store.ts'
import type { Handlers } from '../route.ts'

/** Answers calls about signed links to one dataset (docs/links.md). */
export function linkHandlers(
  store: Store,
  { isEnabled, roles }: { isEnabled: boolean; roles: Roles },
): Pick<Handlers, 'linkList' | 'linkCreate' | 'linkRevoke'> {
  const requireAccess = async (identity: Identity, name: string) => {
    const access = await roles.find(identity, name)
    if (access === undefined) throw fail('DATASET_NOT_FOUND')
    const of = includesRole(access.role, 'owner') ? undefined : identity
    return { datasetId: access.datasetId, of }
  }
  return {
    linkList: async ({ params, query, identity }) => {
      const which = await requireAccess(identity, params.datasetId)
      return listTheirLinks(store.reads, { ...which, ...query })
    },
    linkCreate: ({ params, body, identity, visibility }) =>
      createLink(store, params.datasetId, body, { identity, visibility, isEnabled }),
    linkRevoke: async ({ params, identity }) => {
      const which = await requireAccess(identity, params.datasetId)
      await revokeLink(store, { ...which, id: params.linkId }, identity)
    },
  }
}
