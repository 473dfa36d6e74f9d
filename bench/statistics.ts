export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which the given part of the values lies, the nearest rank. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
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
