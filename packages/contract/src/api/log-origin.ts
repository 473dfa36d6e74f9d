// The origin of a log is its address without the scheme, as https://c2sp.org/tlog-tiles has it, and the name of the key
// that signs its checkpoints.

const ending = '/log'

/** Returns the origin of an installation's own log, whose key is that of all its logs under this name. */
export function installationLog(publicUrl: string): string {
  return `${publicUrl.replace(/^https?:\/\//, '')}/api${ending}`
}

/** A repository's log: of which installation, by the origin of its own log, and of which repository. */
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

/** Reads an origin as `repoLogOrigin` writes it; undefined where it is none. */
export function readRepoLog(origin: string): RepoLog | undefined {
  const [, api, name, generation] =
    /^(.+\/api)\/repo\/([^/]+)\.([0-9a-f]{10})\/log$/.exec(origin) ?? []
  if (api === undefined || name === undefined || generation === undefined) return undefined
  return { installation: `${api}${ending}`, name, generation }
}
