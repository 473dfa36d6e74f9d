/** The limit of writing: a bare engine on the disk that the servers write to. */
export type DurableCommits = {
  what: string
  /** How many transactions it makes durable, one after the other. */
  perSecond: (seconds: number) => Promise<number>
}

/** Commits until so many seconds are over. */
export async function commitsPerSecond(
  seconds: number,
  commit: () => void | Promise<unknown>,
): Promise<number> {
  const began = performance.now()
  let commits = 0
  while (performance.now() - began < seconds * 1000) {
    await commit()
    commits += 1
  }
  return commits / ((performance.now() - began) / 1000)
}
