// The origin of a log is its address without the scheme, as https://c2sp.org/tlog-tiles has it, and the name of the key
// that signs its checkpoints.

const ending = '/log'

/** Returns the origin of an installation's own log, whose key is that of all its logs under this name. */
export function installationLog(publicUrl: string): string {
  return `${publicUrl.replace(/^https?:\/\//, '')}/api${ending}`
}

/**
 * Returns the origin of a repository's log. The name ends with the generation of the repository, which is given when it
 * is created: one that has the name of a deleted one is another log.
 */
export function repoLog(
  installation: string,
  { name, generation }: { name: string; generation: string },
): string {
  return `${apiOf(installation)}/repo/${name}.${generation}${ending}`
}

/** Whether an origin is that of a log of a repository, of any generation. */
export function isRepoLog(
  origin: string,
  { installation, name }: { installation: string; name: string },
): boolean {
  return loggedRepo(origin) === name && origin.startsWith(`${apiOf(installation)}/repo/${name}.`)
}

/** Returns the name of the repository whose log has an origin; undefined where it is not that of one. */
export function loggedRepo(origin: string): string | undefined {
  return /\/api\/repo\/([^/]+)\.[0-9a-f]{10}\/log$/.exec(origin)?.[1]
}

function apiOf(installation: string): string {
  return installation.slice(0, -ending.length)
}
