import {
  completeSubtrees,
  entryText,
  tileWidth,
  writeLogPart,
  type Range,
} from '@vitrine/transparency-log'
import { fail } from '../failure.ts'
import type { RepoLogState } from '../log/logs.ts'
import type { PositionSet } from '../reading/position-set.ts'
import { leafOf, rootOf } from '../store/leaf.ts'

/**
 * Writes the log of a repository with the entries of some items, and the roots over those that are left out.
 * @throws Failure LOG_DAMAGED
 */
export async function* writeBundledLog(
  { log, size }: RepoLogState,
  picked: PositionSet,
): AsyncGenerator<Uint8Array> {
  let omittedFrom = 0
  const omitted = async function* (to: number) {
    for (const range of completeSubtrees({ from: omittedFrom, to })) {
      const entries = range.to - range.from
      yield writeLogPart({ kind: 'omitted', entries, root: await log.hashOf(range) })
    }
  }
  for (let from = 0; from < size; from += tileWidth) {
    const tile: Range = { from, to: Math.min(from + tileWidth, size) }
    if (picked.within(tile.from, tile.to).next().done === true) continue
    yield* omitted(from)
    yield Buffer.concat(await tileParts({ log, size }, tile))
    omittedFrom = tile.to
  }
  yield* omitted(size)

  async function tileParts({ log }: Pick<RepoLogState, 'log' | 'size'>, { from, to }: Range) {
    const entries = await log.entries.range({ from, to })
    if (entries.length < to - from) throw fail('LOG_DAMAGED')
    const leaves = entries.map(({ entry, leaf }) => leaf ?? leafOf(entry))
    const parts: Uint8Array[] = []
    const omit = (upTo: number) => {
      for (const range of completeSubtrees({ from: next, to: upTo })) {
        const root = rootOf(leaves.slice(range.from - from, range.to - from))
        parts.push(writeLogPart({ kind: 'omitted', entries: range.to - range.from, root }))
      }
    }
    let next = from
    for (const position of picked.within(from, to)) {
      omit(position)
      const entry = new Uint8Array(Buffer.from(entryText(entries[position - from]!.entry)))
      parts.push(writeLogPart({ kind: 'entry', leaf: leaves[position - from]!, entry }))
      next = position + 1
    }
    omit(to)
    return parts
  }
}
