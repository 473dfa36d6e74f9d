import { type SlicePart, countSegments, listSlices } from '../store/search-slices.ts'
import type { Db } from '../store/store.ts'
import type { NeededGrams } from './needed-grams.ts'
import { blockItems, partOf, probes, segmentItems, sliceBytes, sliceOf } from './segment-filter.ts'

/** Positions of a repository, from `from` to below `to`. */
export type Span = { from: number; to: number }

/** Parts of filters that are read for one window: as many as take some milliseconds. */
const partsMax = 512
/** If more than 1 in N blocks of a segment match, the whole segment is read: one range scan is faster than many. */
const denseShare = 4
const everyBlock = new Uint8Array(sliceBytes).fill(0xff)

/**
 * Finds where in a repository there may be items with some grams, from a position on, until `max` of them are
 * found or it has looked far enough; `to` is how far that is.
 */
export async function candidateSpans(
  db: Db,
  { repoId, needed }: { repoId: number; needed: NeededGrams | undefined },
  { from, upTo, max }: { from: number; upTo: number; max: number },
): Promise<{ spans: Span[]; to: number }> {
  const spans: Span[] = []
  let [at, left] = [from, max]
  /** Takes as much of a span as there is room for, and says whether that is all of it. */
  const take = (span: Span): boolean => {
    const to = Math.min(span.to, upTo, span.from + left)
    const last = spans.at(-1)
    if (last?.to === span.from) last.to = to
    else if (to > span.from) spans.push({ from: span.from, to })
    left -= to - span.from
    at = to
    return to === span.to
  }
  const count = needed === undefined ? 0 : await countSegments(db, repoId)
  if (needed === undefined || from >= count * segmentItems) {
    take({ from, to: upTo })
    return { spans, to: at }
  }
  const parts = [...new Set(gramsIn(needed).flatMap((gram) => probes(gram).map(partOf)))]
  const first = Math.floor(from / segmentItems)
  const last = Math.min(
    first + Math.max(1, Math.floor(partsMax / parts.length)),
    count,
    Math.ceil(upTo / segmentItems),
  )
  const segments = Array.from({ length: last - first }, (_, index) => first + index)
  const slices = Map.groupBy(
    await listSlices(db, repoId, { segments, parts }),
    ({ segment }) => segment,
  )
  for (const segment of segments) {
    const candidates = spansIn(
      blocksWith(needed, slices.get(segment) ?? []),
      segment * segmentItems,
    )
    for (const span of candidates) {
      if (span.to <= at) continue
      if (!take({ from: Math.max(span.from, at), to: span.to })) return { spans, to: at }
    }
    at = Math.min((segment + 1) * segmentItems, upTo)
  }
  if (at >= count * segmentItems) take({ from: at, to: upTo })
  return { spans, to: at }
}

function gramsIn(needed: NeededGrams): number[] {
  return needed.kind === 'gram' ? [needed.hash] : needed.of.flatMap(gramsIn)
}

/** A bit for each block of a segment in which what is needed may be. */
function blocksWith(needed: NeededGrams, parts: readonly SlicePart[]): Uint8Array {
  if (needed.kind !== 'gram') {
    const [first, ...rest] = needed.of.map((each) => blocksWith(each, parts)) as [
      Uint8Array,
      ...Uint8Array[],
    ]
    return rest.reduce(
      (blocks, more) =>
        blocks.map((byte, at) => (needed.kind === 'all' ? byte & more[at]! : byte | more[at]!)),
      first,
    )
  }
  const slices = probes(needed.hash).map((hash) => {
    const row = parts.find(({ part }) => part === partOf(hash))
    // They are removed with their repository, which may have happened since they were counted.
    return row === undefined ? everyBlock : sliceOf(hash, row.slices)
  })
  return slices[0]!.map((byte, at) => byte & slices[1]![at]!)
}

function spansIn(blocks: Uint8Array, start: number): Span[] {
  const spans: Span[] = []
  let count = 0
  for (let block = 0; block < sliceBytes * 8; block += 1) {
    if ((blocks[block >> 3]! & (1 << (block & 7))) === 0) continue
    count += 1
    const from = start + block * blockItems
    const last = spans.at(-1)
    if (last?.to === from) last.to += blockItems
    else spans.push({ from, to: from + blockItems })
  }
  const isDense = count * denseShare >= sliceBytes * 8
  return isDense ? [{ from: start, to: start + segmentItems }] : spans
}
