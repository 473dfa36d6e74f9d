import { foldCase } from '@vitrine/contract'

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
