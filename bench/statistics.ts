export function median(values: readonly number[]): number {
  const value = values.toSorted((a, b) => a - b)[values.length >> 1]
  if (value === undefined) throw new Error('no values')
  return value
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * Measures several things in turns, so that whatever else the machine does meanwhile falls on all of
 * them alike, and back again, so that none always comes after the same one.
 * @returns for each thing its values, one a round
 */
export async function inTurns<K extends string, V>(
  rounds: number,
  things: Record<K, () => Promise<V>>,
): Promise<Record<K, V[]>> {
  const entries = Object.entries(things) as [K, () => Promise<V>][]
  const values = Object.fromEntries(entries.map(([name]) => [name, []])) as unknown as Record<
    K,
    V[]
  >
  for (let round = 0; round < rounds; round += 1) {
    const turn = round % 2 === 0 ? entries : entries.toReversed()
    for (const [name, measure] of turn) values[name].push(await measure())
  }
  return values
}
