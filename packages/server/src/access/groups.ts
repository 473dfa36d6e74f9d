import { groupName } from '@vitrine/contract'
import type { JWTPayload } from 'jose'
import type { Identity } from './identity.ts'

/**
 * The groups of a person in a verified token. What cannot be a name is left out.
 * @param claim such as `groups`, or `realm_access.roles` for a claim within another
 * @returns `groupsOmitted` where the token says that the person has groups without listing them, as those of Entra ID do
 *   of somebody with more than 200 (https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference)
 */
export function groupsOf(
  payload: JWTPayload,
  claim: string,
): Pick<Identity, 'groups' | 'groupsOmitted'> {
  const listed = valueAt(payload, claim)
  if (listed === undefined && (valueAt(payload, `_claim_names.${claim}`) ?? payload['hasgroups'])) {
    return { groupsOmitted: true }
  }
  const names = typeof listed === 'string' ? [listed] : Array.isArray(listed) ? listed : []
  const groups = names.flatMap((name) => (typeof name === 'string' ? (groupName(name) ?? []) : []))
  return { groups: [...new Set(groups)].toSorted() }
}

/** Finds a claim by its name, which may hold dots and slashes itself, or by a path of names. */
function valueAt(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined
  if (Object.hasOwn(claims, path)) return (claims as Record<string, unknown>)[path]
  const dot = path.indexOf('.')
  if (dot === -1) return undefined
  const [name, rest] = [path.slice(0, dot), path.slice(dot + 1)]
  return Object.hasOwn(claims, name)
    ? valueAt((claims as Record<string, unknown>)[name], rest)
    : undefined
}
