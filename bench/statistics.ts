export function median(values: readonly number[]): number {
  const value = values.toSorted((a, b) => a - b)[values.length >> 1]
  if (value === undefined) throw new Error('no values')
  return value
}

/**
 * Measures several things in turns, so that whatever else the machine does meanwhile falls on all of
 * them alike.
 * @returns for each thing its values, one a round
 */
export async function inTurns<K extends string>(
  rounds: number,
  things: Record<K, () => Promise<number>>,
): Promise<Record<K, number[]>> {
  const entries = Object.entries(things) as [K, () => Promise<number>][]
  const values = Object.fromEntries(entries.map(([name]) => [name, []])) as unknown as Record<
    K,
    number[]
  >
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of entries) values[name].push(await measure())
  }
  return values
}
