import type { DurableCommits } from './durable-commits.ts'

/** Environment that tells a server which database it has. */
export type DatabaseEnv = Record<string, string>

/** Database of the servers that are measured. */
export type Engine = {
  name: 'sqlite' | 'postgres'
  /** Its name and version, to be shown. */
  version: string
  newDatabase: () => Promise<DatabaseEnv>
  /** The database with a repository of each of `sizes`, which nobody adds to. */
  filledDatabase: () => Promise<DatabaseEnv>
  /** A copy of it for what adds to it. */
  copiedDatabase: (opened: AsyncDisposableStack) => Promise<DatabaseEnv>
  durableCommits: (opened: AsyncDisposableStack) => Promise<DurableCommits>
}
