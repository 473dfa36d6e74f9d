/** The mean of what some items have in common. */
export type Mean<Key> = { key: Key; mean: number; count: number }

/** The means of numbers by what they are named, of the commonest names first. */
export function meansByName(pairs: readonly (readonly [name: string, value: number])[]) {
  const groups = Map.groupBy(pairs, ([name]) => name)
  return [...groups]
    .map(([key, group]): Mean<string> => meanOf(key, group))
    .toSorted((left, right) => right.count - left.count)
}

/** What means over time are of, where there are too many moments: the characters of one that stay. */
const spans = [
  ['second', 19],
  ['minute', 16],
  ['hour', 13],
  ['day', 10],
  ['month', 7],
  ['year', 4],
  ['decade', 3],
  ['century', 2],
] as const
export type Span = (typeof spans)[number][0]

const earliest = '0000-01-01T00:00:00.000Z'

/** The means of numbers over time: by moment, or by the shortest span of which there are at most so many. */
export function meansOverTime(
  pairs: readonly (readonly [at: Date, value: number])[],
  most: number,
): { span?: Span; means: Mean<Date>[] } {
  const texts = pairs.map(([at, value]) => [at.toISOString(), value] as const)
  const isFew = (length: number) => new Set(texts.map(([at]) => at.slice(0, length))).size <= most
  const [span, length] = isFew(earliest.length)
    ? [undefined, earliest.length]
    : (spans.find(([, length]) => isFew(length)) ?? ['century', 2])
  const groups = Map.groupBy(texts, ([at]) => at.slice(0, length))
  const means = [...groups]
    .map(([key, group]) => meanOf(new Date(key + earliest.slice(length)), group))
    .toSorted((left, right) => Number(left.key) - Number(right.key))
  return { means, ...(span !== undefined && { span }) }
}

function meanOf<Key>(key: Key, group: readonly (readonly [unknown, number])[]): Mean<Key> {
  const { length: count } = group
  // Of the largest numbers, a sum may be beyond any.
  const mean = group.reduce((sum, [, value]) => sum + value / count, 0)
  return { key, mean, count }
}
