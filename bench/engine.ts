import type { DurableCommits } from './durable-commits.ts'

/** Environment that tells a server which database it has. */
export type DatabaseEnv = Record<string, string>

/** Database of the servers that are measured. */
export type Engine = {
  name: 'sqlite' | 'postgres'
  /** Its name and version, to be shown. */
  version: string
  newDatabase: () => Promise<DatabaseEnv>
  /** A database of its own with a repository of each of `sizes`: a server notes in it what stands in its data folder. */
  filledDatabase: (opened: AsyncDisposableStack) => Promise<DatabaseEnv>
  durableCommits: (opened: AsyncDisposableStack) => Promise<DurableCommits>
}
