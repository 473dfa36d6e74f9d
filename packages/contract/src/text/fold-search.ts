import { foldCase } from './fold-case.ts'

/**
 * Folds a text as `search` compares it: compatibility characters decomposed (Unicode Standard Annex #15,
 * NFKD), accents left out, case folded, and the letters that are left composed (NFC), so that none stands in
 * another: `き` is not in `ぎ`.
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

/** The words that a text has to have in it to be found, folded; none of a text of spaces. */
export function searchWords(text: string): string[] {
  return [...new Set(foldSearch(text).split(/\s+/u))].filter((word) => word !== '')
}

/**
 * Characters that may be composed with the one before, or change places with it: marks, vowels and final consonants of
 * Hangul in all their widths, and vowels of Kirat Rai. No writing has a thousand of them in a row.
 */
const joining = '[\\p{M}\\u1160-\\u11ff\\u3131-\\u318e\\uff9e-\\uffdc\\u{16d67}-\\u{16d6a}]'
const joiningMax = 1000

/** Code points that are folded at once, of which U+FDFA becomes 18, and what joins the last of them. */
const pieceLength = 8192
const pieces = new RegExp(`.{1,${pieceLength}}${joining}{0,${joiningMax}}`, 'gsu')
/** Letters that are more than lower case ASCII, each with what joins it. */
const letters = new RegExp(
  `[^\\0-@[-\\x7f]${joining}{0,${joiningMax}}|[^A-Z]${joining}{1,${joiningMax}}`,
  'gu',
)

/** Folds a text piece by piece: joined, they are the folding of the whole. */
function* foldPieces(text: string): Generator<string> {
  if (text.length <= pieceLength) return yield foldPiece(text)
  for (const [piece] of text.matchAll(pieces)) yield foldPiece(piece)
}

function foldPiece(piece: string): string {
  if (!beyondAscii.test(piece)) return piece.toLowerCase()
  return piece.replaceAll(letters, (letter) => {
    let folded = foldings.get(letter)
    if (folded === undefined) {
      folded = foldLetter(letter)
      if (foldings.size < foldingsMax && letter.length <= letterMax) foldings.set(letter, folded)
    }
    return folded
  })
}

function foldLetter(letter: string): string {
  return foldCase(letter.normalize('NFKD').replaceAll(accents, '')).normalize('NFC')
}

/** Foldings of letters with their marks; most texts are of a few thousand. */
const foldings = new Map<string, string>()
const foldingsMax = 0x1_0000
const letterMax = 8

const beyondAscii = /[^\0-\x7f]/

/**
 * Cyrillic letters with a mark that are letters of their own. The others are not: ё is often written е, and the marks
 * of ѐ, ѝ and ѷ are accents.
 */
const markedCyrillic = 'ѓќїйўӂӑӓӗӛӝӟӣӥӧӫӭӯӱӳӵӹ'
const lettersByMark = new Map<string, string>()
for (const marked of markedCyrillic + markedCyrillic.toUpperCase()) {
  const [letter, mark = ''] = marked.normalize('NFD')
  lettersByMark.set(mark, `${lettersByMark.get(mark) ?? ''}${letter}`)
}

/** Pattern of marks that are accents but after some letters, in what JavaScript and PostgreSQL both read. */
export const accentsButAfterLetters = [...lettersByMark]
  .map(([mark, letters]) => `(?<![${letters}])${mark}`)
  .join('|')

/**
 * A mark that is an accent after every letter. Those by which the scripts of India, Thailand or Japan tell one letter
 * from another are none: vowels, viramas, nuktas, tones, voicing marks.
 */
export const accent = new RegExp(
  `(?=\\p{Mn})(?=\\p{Diacritic})(?![\u3099\u309a${[...lettersByMark.keys()].join('')}])` +
    '[\\p{sc=Inherited}\\p{sc=Cyrillic}\\p{sc=Coptic}\\p{sc=Hebrew}\\p{sc=Arabic}\\p{sc=Syriac}]',
  'u',
)
const accents = new RegExp(`${accent.source}|${accentsButAfterLetters}`, 'gu')
