import type { RowGroup } from 'hyparquet'
import { type NestedPageFormat, decodeNestedPage } from './decode-page.ts'
import type { LeafValues } from './nested-column.ts'
import { type LeafColumn, dataPages, look } from './read-column-chunk.ts'

/** About what a value takes in memory with its levels. */
const valueBytes = 32

/** Reads the values of some rows of a group, the last left out, with their levels. */
export async function readNestedChunk(
  leaf: LeafColumn<NestedPageFormat>,
  { group, from, to }: { group: RowGroup; from: number; to: number },
): Promise<LeafValues> {
  const { chunk, convert, reached } = leaf
  const last = reached.get(chunk)
  const resumed = last?.group === group && last.rows! <= from ? last : undefined
  // A row may have any number of values.
  const valuesMax = Number(group.columns[chunk]?.meta_data?.num_values ?? 0)
  /** Rows that have begun. */
  let rows = resumed?.rows ?? 0
  const pieces: LeafValues[] = []
  const pages = dataPages(leaf, { group, valuesMax, resumed })
  for await (const { place, page, readBody, format, dictionary, entries } of pages) {
    if (page.values === 0) continue
    const decoded = decodeNestedPage(await readBody(), page, format)
    const { repetitions, definitions } = decoded
    if (repetitions[0] === 0) reached.set(chunk, { group, place, rows, dictionary })
    else if (rows === 0) throw new Error('a column begins within a row')
    const wanted = cut(repetitions, { rows, from, to })
    rows = wanted.rows
    if (wanted.start < wanted.end) {
      format.budget.take((wanted.end - wanted.start) * valueBytes)
      const stored = decoded.read()
      const values = decoded.areEntries ? look(stored as Uint32Array, entries) : convert(stored)
      pieces.push({
        repetitions: repetitions.subarray(wanted.start, wanted.end),
        definitions: definitions.subarray(wanted.start, wanted.end),
        values: spread(values, { definitions, most: format.definition, ...wanted }),
      })
    }
    if (rows > to) break
  }
  return joined(pieces)
}

/** Cuts the values of the wanted rows out of those of a page, before which so many rows have begun. */
function cut(
  repetitions: Uint8Array,
  { rows, from, to }: { rows: number; from: number; to: number },
): { start: number; end: number; rows: number } {
  let begun = rows
  let start = -1
  let end = repetitions.length
  for (let at = 0; at < repetitions.length; at += 1) {
    if (repetitions[at] === 0) begun += 1
    const row = begun - 1
    if (row >= to) {
      end = at
      break
    }
    if (start === -1 && row >= from) start = at
  }
  return { start: start === -1 ? end : start, end, rows: begun }
}

/** Puts values where a definition level says that there is one. */
function spread(
  values: ArrayLike<unknown>,
  {
    definitions,
    most,
    start,
    end,
  }: { definitions: Uint8Array; most: number; start: number; end: number },
): unknown[] {
  let index = 0
  for (let at = 0; at < start; at += 1) if (definitions[at] === most) index += 1
  const placed = Array<unknown>(end - start)
  for (let at = start; at < end; at += 1) {
    if (definitions[at] !== most) continue
    placed[at - start] = values[index]
    index += 1
  }
  return placed
}

function joined(pieces: readonly LeafValues[]): LeafValues {
  const [only] = pieces
  if (only !== undefined && pieces.length === 1) return only
  const length = pieces.reduce((sum, { values }) => sum + values.length, 0)
  const repetitions = new Uint8Array(length)
  const definitions = new Uint8Array(length)
  const values: unknown[] = []
  for (const piece of pieces) {
    repetitions.set(piece.repetitions, values.length)
    definitions.set(piece.definitions, values.length)
    for (const value of piece.values) values.push(value)
  }
  return { repetitions, definitions, values }
}
