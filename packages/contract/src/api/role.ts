import * as z from 'zod/mini'
import { quote } from '../problems.ts'
import { isStorable } from '../text/text.ts'
import { type Person, person } from './replies.ts'

/** Roles on a dataset; each includes those before it (docs/roles.md). */
export const roles = ['reader', 'contributor', 'curator', 'owner'] as const
export type Role = (typeof roles)[number]

/** Roles of everybody signed in on a dataset: with `none` it is there for those alone who were given a role. */
export const everyoneRoles = ['none', ...roles] as const
export type EveryoneRole = (typeof everyoneRoles)[number]

/**
 * Role that a call needs on the dataset in its path. `creator` is for calls that create a dataset, and `anyone` for those
 * that are about no dataset, or decide by themselves.
 */
export type CallRole = Role | 'creator' | 'anyone'

/** Whether a role includes another one. */
export function includesRole(role: EveryoneRole, needed: EveryoneRole): boolean {
  return everyoneRoles.indexOf(role) >= everyoneRoles.indexOf(needed)
}

/** Length of the name of a group, in characters. */
const groupLength = 200

/**
 * Returns the name of a group of the provider by which it is compared: in lower case, without the slash that Keycloak
 * begins paths with. Undefined for what cannot be one.
 */
export function groupName(text: string): string | undefined {
  const name = text.trim().replace(/^\//, '').toLowerCase()
  return name !== '' && name.length <= groupLength && isStorable(name) ? name : undefined
}

/** Role that the configuration gives a group on the datasets whose names fit a pattern, where `*` is any characters. */
export const groupRole = z.object({ group: z.string(), role: z.enum(roles), pattern: z.string() })
export type GroupRole = z.infer<typeof groupRole>

/** Whether a role by the configuration counts on the dataset of a name. */
export function fitsPattern({ pattern }: GroupRole, name: string): boolean {
  const expression = pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')
  return new RegExp(`^${expression}$`).test(name)
}

/** Reasons for a role: a grant to the person, one to a group or the configuration, or the same of everybody. */
const roleSources = ['creator', 'administrator', 'grant', 'group', 'everyone'] as const
export type RoleSource = (typeof roleSources)[number]

/** Role of somebody on a dataset, why they have it, and whoever can help where that is too little. */
export const datasetRole = z.object({
  role: z.enum(roles),
  source: z.optional(z.enum(roleSources)),
  /** The group that it comes by. */
  group: z.optional(z.string()),
  owners: z.array(person),
})
export type DatasetRole = z.infer<typeof datasetRole>

/** Says why a call was refused for a role, and who can help; undefined of other refusals. */
export function refusedRole(refusal: {
  needed?: string | undefined
  dataset?: string | undefined
  role?: string | undefined
  owners?: readonly Person[] | undefined
}): string | undefined {
  const { needed, dataset, role, owners = [] } = refusal
  if (needed === undefined) return undefined
  if (needed === 'creator') return 'here administrators alone create datasets'
  const yours = role === undefined ? '' : `, and yours is ${role}`
  const on = dataset === undefined ? 'this dataset' : quote(dataset)
  return `it takes the role ${needed} on ${on}${yours}; ask ${ownersText(owners)}`
}

/** Names whoever can help with a dataset. */
function ownersText(owners: readonly Person[]): string {
  const names = owners.map(({ name, subject }) => name ?? subject)
  return names.length === 0 ? 'an administrator' : `${names.join(' or ')}, or an administrator`
}
