import type { Comparison, FieldSummary } from '@vitrine/contract'
import { plainText } from '@vitrine/contract'
import { binText, boundsOf, boundText, mergedBins, type Bin } from '../../../explore/bins.ts'
import { valueComparison } from '../../../explore/value-comparison.ts'
import { showBytes } from '../../../ui/show-amounts.ts'

/** Something in a column's head that stands for the items that have it. */
export type Mark = {
  text: string
  count: number
  /** There are at least so many. */
  isLeast?: boolean | undefined
  /** Asks for these items; undefined where no filter finds exactly them. */
  comparison: Comparison | undefined
  /** The id of the item that a reference leads to. */
  id?: number
  /** Bin of the mark, where it stands beside others. */
  bin?: Bin
}

/** Plot in a column's head: bins beside each other, or values below each other. */
export type Plot = {
  kind: 'bins' | 'values'
  /** Measure of the values, where it is not the values themselves. */
  of?: 'length' | 'bytes'
  marks: readonly Mark[]
  /** From the least to the greatest. */
  ends: readonly string[]
}

/** Bins of which each is wide enough to be pressed. */
const mostBins = 12

/** Draws numbers and times as bins, and of texts the commonest ones, or where hardly any come twice their lengths. */
export function plotOf(field: FieldSummary, most = mostBins): Plot | undefined {
  const { type, histogram, lengths, bytes, mediaTypes = [], commonest, distinct } = field
  if (histogram !== undefined) return bins(histogram, endsOf(field), most)
  if (mediaTypes.length > 1) {
    const marks = mediaTypes.map(({ mime, count }) => ({
      text: mime,
      count,
      comparison: { mime: { eq: mime } },
    }))
    return { kind: 'values', marks, ends: bytes === undefined ? [] : sizes(bytes) }
  }
  if (bytes !== undefined) return bins(bytes.histogram, sizes(bytes), most, 'bytes')
  const saysMuch = (commonest[0]?.count ?? 0) > 1 || distinct <= commonest.length
  if (lengths !== undefined && !saysMuch) {
    const ends = [lengths.least, lengths.greatest].map((length) => `${boundText(length)} long`)
    return bins(lengths.histogram, ends, most, 'length')
  }
  if (commonest.length === 0) return undefined
  const marks = commonest.map(({ value, count, cut = false }): Mark => ({
    text: plainText(value) + (cut ? '…' : ''),
    count,
    isLeast: field.estimated,
    // The beginning of a text finds others as well.
    comparison: cut ? undefined : valueComparison(type, value),
    ...(type === 'reference' && { id: Number(value) }),
  }))
  return { kind: 'values', marks, ends: endsOf(field) }
}

function bins(
  all: readonly Bin[],
  ends: readonly string[],
  most: number,
  of?: 'length' | 'bytes',
): Plot {
  const marks = mergedBins(all, most).map((bin): Mark => {
    const bounds = boundsOf(bin)
    return {
      text: binText(bin),
      count: bin.count,
      comparison: of === undefined ? bounds : { [of]: bounds },
      bin,
    }
  })
  return { kind: 'bins', marks, ends, ...(of !== undefined && { of }) }
}

function endsOf({ least, greatest }: FieldSummary): string[] {
  return least === undefined ? [] : [boundText(least), boundText(greatest)]
}

function sizes({ least, greatest }: { least: number; greatest: number }): string[] {
  return [showBytes(least), showBytes(greatest)]
}
