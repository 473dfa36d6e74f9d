import { Readable } from 'node:stream'
import { api, canonicalJson, check, type AuditFilters, type Json } from '@vitrine/contract'
import type { Administrators } from '../../access/administrators.ts'
import { eraseName } from '../../access/erase-name.ts'
import { personOf } from '../../access/identity.ts'
import { expectChecked } from '../../failure.ts'
import type { Roles } from '../../access/roles.ts'
import { listAudit, listAuditAfter } from '../../store/audit-log.ts'
import { findPerson } from '../../store/people.ts'
import type { Db, Store } from '../../store/store.ts'
import type { Handlers } from '../route.ts'

const entriesAtOnce = 500

/** Answers administrators about the audit log, and everybody who they are (docs/audit.md). */
export function auditHandlers(
  store: Store,
  { administrators, roles }: { administrators: Administrators; roles: Roles },
): Pick<Handlers, 'whoAmI' | 'auditList' | 'auditExport' | 'nameErase'> {
  const { reads } = store
  return {
    whoAmI: async ({ identity }) => {
      const { key, name } = personOf(identity)
      return {
        ...(await findPerson(reads, key)),
        ...(name !== undefined && { name }),
        isAdministrator: administrators.has(identity),
        ...(!roles.mayCreate(identity) && { mayCreate: false }),
        ...(identity.groups && { groups: [...identity.groups] }),
        ...(identity.groupsOmitted && { groupsOmitted: true }),
      }
    },
    auditList: async ({ query, identity }) => {
      administrators.require(identity)
      return listAudit(reads, query)
    },
    nameErase: async ({ body, identity }) => {
      administrators.require(identity)
      const { subject } = expectChecked('REQUEST_INVALID', check(api.nameErase.body, body))
      return eraseName(store, subject, identity)
    },
    auditExport: async ({ query, identity, reply }) => {
      administrators.require(identity)
      reply.headers({
        'content-type': 'application/x-ndjson',
        'content-disposition': 'attachment; filename="audit.ndjson"',
      })
      return reply.send(Readable.from(linesOf(reads, query)))
    },
  }
}

async function* linesOf(reads: Db, filters: AuditFilters): AsyncGenerator<string> {
  for (let after = 0; ;) {
    const entries = await listAuditAfter(reads, { ...filters, after, limit: entriesAtOnce })
    const last = entries.at(-1)
    if (last === undefined) return
    yield entries.map((entry) => `${canonicalJson(entry as Json)}\n`).join('')
    after = last.number
  }
}
