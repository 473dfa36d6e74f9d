/** The mean of what some items have in common. */
export type Mean<Key> = { key: Key; mean: number; count: number }

/** The means of numbers by what they are named, of the commonest names first. */
export function meansByName(pairs: readonly (readonly [name: string, value: number])[]) {
  const groups = Map.groupBy(pairs, ([name]) => name)
  return [...groups]
    .map(([key, group]): Mean<string> => meanOf(key, group))
    .toSorted((left, right) => right.count - left.count)
}

/** The mean of what some items have from a moment on until before another one. */
export type TimeMean = Mean<Date> & { end: Date }

/** Time buckets, finest first: length of the ISO prefix that identifies one, and how to step to the next. */
const spans = [
  ['second', 19, (at: Date) => at.setUTCSeconds(at.getUTCSeconds() + 1)],
  ['minute', 16, (at: Date) => at.setUTCMinutes(at.getUTCMinutes() + 1)],
  ['hour', 13, (at: Date) => at.setUTCHours(at.getUTCHours() + 1)],
  ['day', 10, (at: Date) => at.setUTCDate(at.getUTCDate() + 1)],
  ['month', 7, (at: Date) => at.setUTCMonth(at.getUTCMonth() + 1)],
  ['year', 4, (at: Date) => at.setUTCFullYear(at.getUTCFullYear() + 1)],
  ['decade', 3, (at: Date) => at.setUTCFullYear(at.getUTCFullYear() + 10)],
  ['century', 2, (at: Date) => at.setUTCFullYear(at.getUTCFullYear() + 100)],
] as const
export type Span = (typeof spans)[number][0]

const earliest = '0000-01-01T00:00:00.000Z'

/** The means of numbers over time: by moment, or by the shortest span of which there are at most so many. */
export function meansOverTime(
  pairs: readonly (readonly [at: Date, value: number])[],
  most: number,
): { span?: Span; means: TimeMean[] } {
  const texts = pairs.map(([at, value]) => [at.toISOString(), value] as const)
  const isFew = (length: number) => new Set(texts.map(([at]) => at.slice(0, length))).size <= most
  const [span, length, next] = isFew(earliest.length)
    ? ([undefined, earliest.length, nextMillisecond] as const)
    : (spans.find(([, length]) => isFew(length)) ?? spans.at(-1)!)
  const groups = Map.groupBy(texts, ([at]) => at.slice(0, length))
  const means = [...groups]
    .map(([text, group]): TimeMean => {
      const key = new Date(text + earliest.slice(length))
      return { ...meanOf(key, group), end: new Date(next(new Date(key))) }
    })
    .toSorted((left, right) => Number(left.key) - Number(right.key))
  return { means, ...(span !== undefined && { span }) }
}

function nextMillisecond(at: Date): number {
  return Number(at) + 1
}

function meanOf<Key>(key: Key, group: readonly (readonly [unknown, number])[]): Mean<Key> {
  const { length: count } = group
  // Of the largest numbers, a sum may be beyond any.
  const mean = group.reduce((sum, [, value]) => sum + value / count, 0)
  return { key, mean, count }
}
