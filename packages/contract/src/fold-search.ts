import { foldCase } from './fold-case.ts'

/**
 * Folds a text as `search` compares it: compatibility characters decomposed (Unicode Standard Annex #15,
 * NFKD), diacritics left out, case folded. Every code point folds by itself, whatever stands around it.
 */
export function foldSearch(text: string): string {
  // What folds may become what decomposes.
  return withoutDiacritics(foldCase(withoutDiacritics(text)))
}

/** The words that a text has to have in it to be found, folded; none of a text of spaces. */
export function searchWords(text: string): string[] {
  return [...new Set(foldSearch(text).split(/\s+/u))].filter((word) => word !== '')
}

function withoutDiacritics(text: string): string {
  return text.replaceAll(beyondAscii, decomposed).replaceAll(diacritics, '')
}

/** By itself, as a whole text is put into an order of marks that each version of Unicode adds to. */
function decomposed(character: string): string {
  return character.normalize('NFKD')
}

const beyondAscii = /[^\0-\x7f]/gu

/** A nonspacing mark that is a diacritic: accents and points, not the vowels of Indic scripts. */
export const diacritic = /(?=\p{Mn})\p{Diacritic}/u
const diacritics = new RegExp(diacritic, 'gu')
