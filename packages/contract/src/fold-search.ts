import { foldCase } from './fold-case.ts'

/**
 * Folds a text as `search` compares it: compatibility characters decomposed (Unicode Standard Annex #15,
 * NFKD), diacritics left out, case folded. Every code point folds by itself, whatever stands around it.
 */
export function foldSearch(text: string): string {
  let folded = ''
  for (const piece of foldPieces(text)) folded += piece
  return folded
}

/** Finds a folded text in the folding of another, of which only a piece is in memory at a time. */
export function searchIncludes(text: string, folded: string): boolean {
  let window = ''
  for (const piece of foldPieces(text)) {
    window += piece
    if (window.includes(folded)) return true
    window = window.slice(Math.max(0, window.length - folded.length + 1))
  }
  return folded === ''
}

/** Returns 0 where the folding of a text is a folded one, 1 where it begins with that, undefined otherwise. */
export function searchBeginning(text: string, folded: string): 0 | 1 | undefined {
  let beginning = ''
  for (const piece of foldPieces(text)) {
    beginning += piece
    if (beginning.length > folded.length) break
  }
  if (!beginning.startsWith(folded)) return undefined
  return beginning.length === folded.length ? 0 : 1
}

/** UTF-16 code units that are folded at once; U+FDFA becomes 18 of one. */
const pieceLength = 8192

/** Folds a text piece by piece: joined, they are `foldSearch` of the whole. */
export function* foldPieces(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + pieceLength, text.length)
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to += 1
    yield foldPiece(text.slice(from, to))
    from = to
  }
}

/** The words that a text has to have in it to be found, folded; none of a text of spaces. */
export function searchWords(text: string): string[] {
  return [...new Set(foldSearch(text).split(/\s+/u))].filter((word) => word !== '')
}

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

/** A nonspacing mark that is a diacritic: accents and points, not the vowels of Indic scripts. */
export const diacritic = /(?=\p{Mn})\p{Diacritic}/u
const diacritics = new RegExp(diacritic, 'gu')

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
