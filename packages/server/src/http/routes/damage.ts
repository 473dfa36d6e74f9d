import { listDamagePage } from '../../store/damage.ts'
import type { Store } from '../../store/store.ts'
import type { Handlers } from '../route.ts'

export function damageHandlers({ reads }: Store): Pick<Handlers, 'damageList'> {
  return {
    damageList: async ({ query }) => {
      const damage = await listDamagePage(reads, query)
      return damage.map(({ firstSeenAt, lastSeenAt, ...found }) => ({
        ...found,
        firstSeenAt: new Date(firstSeenAt).toISOString(),
        lastSeenAt: new Date(lastSeenAt).toISOString(),
      }))
    },
  }
}
