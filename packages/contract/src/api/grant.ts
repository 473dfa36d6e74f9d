import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { dataset } from './dataset-calls.ts'
import { limits } from '../limits.ts'
import { isStorable, notStorable } from '../text/text.ts'
import { page } from './page.ts'
import { digits } from './query-text.ts'
import { person } from './replies.ts'
import { everyoneRoles, groupName, groupRole, roles } from './role.ts'

/** A role that was given on one dataset: to a person, a group of the provider, or everybody signed in. */
export const grant = z.object({
  id: z.number(),
  person: z.optional(person),
  group: z.optional(z.string()),
  everyone: z.optional(z.literal(true)),
  role: z.enum(everyoneRoles),
  /** Who gave it. */
  by: person,
  /** ISO 8601. */
  since: z.string(),
})
export type Grant = z.infer<typeof grant>

/** Who may do what on a dataset. */
export const datasetAccess = z.object({
  /** Role of everybody signed in, by the configuration; a grant to everybody replaces it. */
  everyone: z.enum(everyoneRoles),
  /** Who created the dataset, and owns it. */
  creator: person,
  /** Roles of groups by the configuration that count here. */
  groups: z.array(groupRole),
  /** That of everybody, then those of groups, then those of people; each oldest first. */
  grants: z.array(grant),
})
export type DatasetAccess = z.infer<typeof datasetAccess>

const isGroup = (text: string) => groupName(text) !== undefined

/** Role to give to a person, by their subject, a group or everybody; it replaces the one that was given before. */
export const newGrant = z
  .strictObject({
    person: z.optional(z.string().check(z.refine(isStorable, notStorable))),
    group: z.optional(z.string().check(z.refine(isGroup, 'must be the name of a group'))),
    everyone: z.optional(z.literal(true)),
    role: z.enum(everyoneRoles, `must be one of ${roles.join(', ')}, or none for everyone`),
  })
  .check(
    z.refine(
      ({ person, group, everyone }) =>
        [person, group, everyone].filter((each) => each !== undefined).length === 1,
      'must name a person, a group, or everyone',
    ),
    z.refine(
      ({ role, everyone }) => role !== 'none' || everyone === true,
      'none is a role of everyone alone: a role of others is taken back',
    ),
  )
export type NewGrant = z.infer<typeof newGrant>

const searched = z
  .string()
  .check(
    z.maxLength(limits.searchLength, `must be at most ${limits.searchLength} characters`),
    z.refine(isStorable, notStorable),
  )

/** The calls about roles on one dataset (docs/roles.md). */
export const grantCalls = {
  grantList: {
    summary: 'List who may do what on a dataset',
    method: 'GET',
    path: '/api/dataset/{datasetId}/grant',
    scope: 'read',
    role: 'reader',
    params: dataset,
    query: page,
    status: 200,
    reply: datasetAccess,
    errors: ['ROLES_OFF', 'DATASET_NOT_FOUND'],
  },
  grantSet: {
    summary: 'Give a person, a group, or everybody a role on a dataset',
    method: 'POST',
    path: '/api/dataset/{datasetId}/grant',
    scope: 'manage',
    role: 'owner',
    params: dataset,
    body: newGrant,
    repeatable: true,
    status: 200,
    reply: grant,
    errors: [
      'REQUEST_INVALID',
      'ROLES_OFF',
      'DATASET_NOT_FOUND',
      'PERSON_NOT_FOUND',
      'CONTENT_TOO_LARGE',
      'MEDIA_TYPE_UNSUPPORTED',
    ],
  },
  grantRevoke: {
    summary: 'Take a role back that was given on a dataset',
    method: 'DELETE',
    path: '/api/dataset/{datasetId}/grant/{grantId}',
    scope: 'manage',
    role: 'owner',
    params: z.extend(dataset, { grantId: digits(1, Number.MAX_SAFE_INTEGER) }),
    status: 204,
    errors: ['ROLES_OFF', 'DATASET_NOT_FOUND', 'GRANT_NOT_FOUND'],
  },
  personList: {
    summary: 'List people to give a role on a dataset, by a part of their names',
    method: 'GET',
    path: '/api/dataset/{datasetId}/person',
    scope: 'manage',
    role: 'owner',
    params: dataset,
    query: z.strictObject({
      /** Part of a display name or a user name, or a whole subject. */
      q: z._default(searched, ''),
      ...page.shape,
    }),
    status: 200,
    reply: z.array(person),
    errors: ['ROLES_OFF', 'DATASET_NOT_FOUND'],
  },
  groupList: {
    summary: 'List groups to give a role on a dataset, by a part of their names',
    method: 'GET',
    path: '/api/dataset/{datasetId}/group',
    scope: 'manage',
    role: 'owner',
    params: dataset,
    query: z.strictObject({ q: z._default(searched, ''), ...page.shape }),
    status: 200,
    reply: z.array(z.string()),
    errors: ['ROLES_OFF', 'DATASET_NOT_FOUND'],
  },
} as const satisfies Record<string, Call>
