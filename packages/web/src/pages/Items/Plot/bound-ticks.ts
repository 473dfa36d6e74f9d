import { boundText, type Bin } from '../../../explore/bins.ts'

/** Room that a letter takes, and that is left between two texts, in pixels. */
const [letter, gap] = [7.5, 16]

/** Beginnings of texts of days and moments that say as much, where all that follows is a beginning itself. */
const shorter: readonly [end: RegExp, length: number][] = [
  [/(?:-01-01|-01-01T00:00:00Z?)$/, 4],
  [/(?:-01|-01T00:00:00Z?)$/, 7],
  [/T00:00:00Z?$/, 10],
]

/** The texts of bounds, as short as they all can be. */
function shortTexts(bounds: readonly NonNullable<Bin['from']>[]): string[] {
  if (bounds.every((bound) => typeof bound === 'number')) return bounds.map(numberText)
  const texts = bounds.map(boundText)
  const length = shorter.find(([end]) => texts.every((text) => end.test(text)))?.[1]
  return texts.map((text) => text.slice(0, length).replace('T', ' ').replace(/Z$/, ''))
}

/** A number in as few characters as tell it. */
export function numberText(value: number): string {
  const size = Math.abs(value)
  const isPlain = value === 0 || (size >= 1e-4 && size < 1e15)
  return value.toLocaleString(undefined, {
    notation: isPlain ? 'compact' : 'scientific',
    maximumSignificantDigits: 6,
  })
}

/** Returns the bounds between bins that are labelled below them, with their labels: as many as have room. */
export function boundTicks(bins: readonly Bin[], width: number): Map<number, string> {
  const bounds = [...bins.map(({ from }) => from), bins.at(-1)?.to]
  const known = bounds.flatMap((bound, at) => (bound === undefined ? [] : [{ bound, at }]))
  const texts = shortTexts(known.map(({ bound }) => bound))
  const room = Math.max(...texts.map((text) => text.length * letter)) + gap
  const step = Math.max(1, Math.ceil((room * bins.length) / width))
  return new Map(
    known.map(({ at }, index) => [at, texts[index]!] as const).filter(([at]) => at % step === 0),
  )
}
