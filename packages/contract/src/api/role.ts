import * as z from 'zod/mini'
import { type Person, person } from './replies.ts'

/** Roles on a dataset; each includes those before it (docs/roles.md). */
export const roles = ['reader', 'contributor', 'curator', 'owner'] as const
export type Role = (typeof roles)[number]

/**
 * Role that a call needs on the dataset in its path. `creator` is for calls that create a dataset, and `anyone` for those
 * that are about no dataset, or decide by themselves.
 */
export type CallRole = Role | 'creator' | 'anyone'

/** Whether a role includes another one. */
export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

/** Reasons for a role: a grant to the person, or to everybody or the configuration. */
const roleSources = ['creator', 'administrator', 'grant', 'everyone'] as const
export type RoleSource = (typeof roleSources)[number]

/** Role of somebody on a dataset, why they have it, and whoever can help where that is too little. */
export const datasetRole = z.object({
  role: z.enum(roles),
  source: z.optional(z.enum(roleSources)),
  owners: z.array(person),
})
export type DatasetRole = z.infer<typeof datasetRole>

/** Says why a call was refused for a role, and who can help; undefined of other refusals. */
export function refusedRole(refusal: {
  needed?: string | undefined
  role?: string | undefined
  owners?: readonly Person[] | undefined
}): string | undefined {
  const { needed, role, owners = [] } = refusal
  if (needed === undefined) return undefined
  if (needed === 'creator') return 'here administrators alone create datasets'
  const yours = role === undefined ? '' : `, and yours is ${role}`
  return `it takes the role ${needed} on this dataset${yours}; ask ${ownersText(owners)}`
}

/** Names whoever can help with a dataset. */
function ownersText(owners: readonly Person[]): string {
  const names = owners.map(({ name, subject }) => name ?? subject)
  return names.length === 0 ? 'an administrator' : `${names.join(' or ')}, or an administrator`
}
