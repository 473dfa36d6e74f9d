// The origin of a log is its address without the scheme, as https://c2sp.org/tlog-tiles has it, and the name of the key
// that signs its checkpoints.

const ending = '/log'

/** Returns the name of an installation's key, which signs for all its logs, for each under its origin. */
export function installationLog(publicUrl: string): string {
  return `${publicUrl.replace(/^https?:\/\//, '')}/api${ending}`
}

/** A repository's log: of which installation, by the name of its key, and of which repository. */
export type RepoLog = {
  installation: string
  name: string
  /** Digits of a repository from its creation on: one that has the name of a deleted one is another log. */
  generation: string
}

/** Writes the origin of a repository's log. */
export function repoLogOrigin({ installation, name, generation }: RepoLog): string {
  return `${installation.slice(0, -ending.length)}/repo/${name}.${generation}${ending}`
}

/** An audit log: of which installation, by the name of its key, and digits that another begun in its place has not. */
export type AuditLog = Omit<RepoLog, 'name'>

/** Writes the origin of an audit log. */
export function auditLogOrigin({ installation, generation }: AuditLog): string {
  return `${installation.slice(0, -ending.length)}/audit.${generation}${ending}`
}

/** Reads an origin as `auditLogOrigin` writes it; undefined where it is none. */
export function readAuditLog(origin: string): AuditLog | undefined {
  const [, api, generation] = /^(.+\/api)\/audit\.([0-9a-f]{10})\/log$/.exec(origin) ?? []
  if (api === undefined || generation === undefined) return undefined
  return { installation: `${api}${ending}`, generation }
}

/** Reads an origin as `repoLogOrigin` writes it; undefined where it is none. */
export function readRepoLog(origin: string): RepoLog | undefined {
  const [, api, name, generation] =
    /^(.+\/api)\/repo\/([^/]+)\.([0-9a-f]{10})\/log$/.exec(origin) ?? []
  if (api === undefined || name === undefined || generation === undefined) return undefined
  return { installation: `${api}${ending}`, name, generation }
}
