import type { DurableCommits } from './durable-commits.ts'

/** What a server is told of where it keeps its rows. */
export type DatabaseEnv = Record<string, string>

/** What the servers that are measured keep their rows in. */
export type Engine = {
  name: 'sqlite' | 'postgres'
  newDatabase: () => Promise<DatabaseEnv>
  /** The database with a repository of each of `sizes`, which nobody adds to. */
  filledDatabase: () => Promise<DatabaseEnv>
  /** A copy of it for what adds to it. */
  copiedDatabase: (opened: AsyncDisposableStack) => Promise<DatabaseEnv>
  durableCommits: (opened: AsyncDisposableStack) => Promise<DurableCommits>
}
