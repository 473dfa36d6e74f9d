import { foldCase } from '@vitrine/contract'
import { GramSet, mixed } from './grams.ts'

// Items of a repository side by side make a block, and blocks make a segment. A segment has a Bloom filter for
// each block, of the grams of its values. They are kept in slices: the bits at one place of all the filters, so
// that little is read to find the blocks in which a gram may be. Slices side by side are a part.

export const blockItems = 128
const segmentBlocks = 512
export const segmentItems = blockItems * segmentBlocks
const partBits = 9
export const segmentParts = 1 << partBits
export const sliceBytes = segmentBlocks / 8

/** Bits of a filter for each gram: of two that are set, a third of the others then look as if it had them. */
const bitsPerGram = 8
/** Logarithms of the least and the most bits of a filter. */
const filterBits = { min: partBits + 5, max: partBits + 11 }

/** A column of the items' table that is indexed: the parts of its texts, or its values as a whole. */
export type IndexedColumn = { column: string; by: 'parts' | 'value' }

/** Makes the filters of one segment. */
export class SegmentFilter {
  readonly #grams = new GramSet()
  /** Grams of each block; undefined for one that has too many, in which anything may be. */
  readonly #blocks: (Uint32Array | undefined)[] = []
  #items = 0

  /** Adds the next item: its cells of some columns, as they are. */
  add(cells: readonly (string | number | null)[], columns: readonly IndexedColumn[]): void {
    for (const [index, { column, by }] of columns.entries()) {
      const cell = cells[index]!
      if (cell === null) continue
      if (by === 'parts') this.#grams.add(foldGrams(String(cell)))
      else this.#grams.addValue(column, cell)
    }
    this.#items += 1
    if (this.#items % blockItems === 0) {
      this.#blocks.push(this.#grams.hashes)
      this.#grams.clear()
    }
  }

  /**
   * Writes all slices, one after the other.
   * @throws Error unless exactly the items of a segment were added
   */
  write(): Uint8Array<ArrayBuffer> {
    if (this.#items !== segmentItems) {
      throw new Error(`a segment has ${segmentItems} items, not ${this.#items}`)
    }
    const logBits = fittingBits(this.#blocks)
    const slices = new Uint8Array(sliceBytes * 2 ** logBits)
    for (const [block, grams] of this.#blocks.entries()) {
      const [byte, bit] = [block >> 3, 1 << (block & 7)]
      if (grams === undefined) {
        for (let at = byte; at < slices.length; at += sliceBytes) slices[at]! |= bit
        continue
      }
      for (const gram of grams) {
        for (const hash of probes(gram)) {
          slices[(hash >>> (32 - logBits)) * sliceBytes + byte]! |= bit
        }
      }
    }
    return slices
  }
}

/** The logarithm of the bits of each filter. */
function fittingBits(blocks: readonly (Uint32Array | undefined)[]): number {
  const indexed = blocks.filter((grams) => grams !== undefined)
  const grams = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length)
  const bits = Math.ceil(Math.log2(Math.max(1, grams * bitsPerGram)))
  return Math.min(Math.max(bits, filterBits.min), filterBits.max)
}

/** Two hashes of a gram, of which each sets a bit. */
export function probes(gram: number): [number, number] {
  return [gram, mixed(gram ^ 0x5bd1e995)]
}

/** The part of a segment in which the bit of a hash is. */
export function partOf(hash: number): number {
  return hash >>> (32 - partBits)
}

/** The slice of a hash in its part: a bit for each block. */
export function sliceOf(hash: number, part: Uint8Array): Uint8Array {
  const logBits = partBits + Math.log2(part.length / sliceBytes)
  const inPart = (hash >>> (32 - logBits)) & (part.length / sliceBytes - 1)
  return part.subarray(inPart * sliceBytes, (inPart + 1) * sliceBytes)
}

/**
 * Folds a text as the index keeps it, piece by piece: compatibility characters decomposed (Unicode Standard Annex #15,
 * NFKD), all diacritics left out, case folded. Every code point folds by itself, whatever stands around it, so a part
 * of a text folds to a part. It leaves out more than `foldSearch`, which decides.
 */
export function* foldGrams(text: string): Generator<string> {
  for (const [piece] of text.matchAll(pieces)) yield foldPiece(piece)
}

/** Code points that are folded at once; U+FDFA becomes 18. */
const pieces = /.{1,8192}/gsu

function foldPiece(piece: string): string {
  if (!beyondAscii.test(piece)) return piece.toLowerCase()
  return piece.replaceAll(foldable, (character) => {
    let folded = foldings.get(character)
    if (folded === undefined) {
      folded = foldCodePoint(character)
      if (foldings.size < foldingsMax) foldings.set(character, folded)
    }
    return folded
  })
}

/** Foldings by code point; most texts are of a few thousand. */
const foldings = new Map<string, string>()
const foldingsMax = 0x1_0000

function foldCodePoint(character: string): string {
  // What folds may become what decomposes.
  return withoutDiacritics(foldCase(withoutDiacritics(character)))
}

function withoutDiacritics(character: string): string {
  return character.normalize('NFKD').replaceAll(diacritics, '')
}

const beyondAscii = /[^\0-\x7f]/
const foldable = /[^\0-@[-\x7f]/gu
const diacritics = /(?=\p{Mn})\p{Diacritic}/gu

/**
 * Takes a folded text apart where `foldSearch` may have put marks into another order than the text has, which the
 * index does not.
 */
export function splitAtMoved(folded: string): string[] {
  return Array.from(folded, (character) => (isMoved(character) ? '\0' : character))
    .join('')
    .split('\0')
}

/** Whether a mark is put into an order among others: beside one that overlays letters, or beside an accent (UAX #15 §1.3). */
function isMoved(character: string): boolean {
  const [overlay, accent] = ['\u0334', '\u0301']
  return (
    (character + overlay).normalize('NFD') === overlay + character ||
    (accent + character).normalize('NFD') === character + accent
  )
}
