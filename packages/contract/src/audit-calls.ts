import * as z from 'zod/mini'
import { auditEntry, auditFilters, auditQuery, whoami } from './audit.ts'
import type { Call } from './call.ts'

/** The calls about the audit log of an installation (docs/audit.md). */
export const auditCalls = {
  whoAmI: {
    summary: 'Get the signed-in person, and whether they are an administrator',
    method: 'GET',
    scope: 'read',
    path: '/api/whoami',
    status: 200,
    reply: whoami,
    errors: [],
  },
  auditList: {
    summary: 'List entries of the audit log, newest first',
    method: 'GET',
    scope: 'manage',
    path: '/api/audit',
    query: auditQuery,
    status: 200,
    reply: z.array(auditEntry),
    errors: ['ADMINISTRATOR_REQUIRED'],
  },
  auditExport: {
    summary: 'Export the audit log as NDJSON, oldest first',
    method: 'GET',
    scope: 'manage',
    path: '/api/audit/export',
    query: auditFilters,
    status: 200,
    reply: 'bytes',
    replyTypes: ['application/x-ndjson'],
    errors: ['ADMINISTRATOR_REQUIRED'],
  },
} as const satisfies Record<string, Call>
