import { foldSearch } from '@vitrine/contract'
import classes from './MarkedText.module.css'

type Props = {
  text: string
  /** Folded words to mark. */
  words: readonly string[] | undefined
}

/** A text in which words that were found are marked. */
export function MarkedText({ text, words }: Props) {
  if (words === undefined || words.length === 0) return text
  let start = 0
  return markedParts(text, words).map((part) => {
    const key = start
    start += part.text.length
    return part.isMarked ? (
      <mark key={key} className={classes.mark}>
        {part.text}
      </mark>
    ) : (
      part.text
    )
  })
}

/** A piece of a text, and whether a word was found in it. */
export type Part = { text: string; isMarked: boolean }

/** How much of a text is looked at, in UTF-16 units: more than a line of a table can show. */
const lookedAt = 1000

/** Made once there is something to mark: that takes milliseconds. */
let graphemes: Intl.Segmenter | undefined

/**
 * Takes a text apart where folded words are found in it, as `search` finds them. What is marked is whole
 * characters as they are read: with their accents, and all of an emoji of several code points.
 */
export function markedParts(text: string, words: readonly string[]): Part[] {
  const folded = fold(text)
  const marked = merged(words.flatMap((word) => places(folded, word)))
  const parts: Part[] = []
  let end = 0
  for (const place of marked) {
    parts.push({ text: text.slice(end, place.start), isMarked: false })
    parts.push({ text: text.slice(place.start, place.end), isMarked: true })
    end = place.end
  }
  parts.push({ text: text.slice(end), isMarked: false })
  return parts.filter((part) => part.text !== '')
}

type Place = { start: number; end: number }

/** A folded text, and for each of its units the character of the text from which it comes. */
type Folded = { folded: string; from: Place[] }

function fold(text: string): Folded {
  const pieces: (Place & { folded: string })[] = []
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment, index } of graphemes.segment(text)) {
    if (index >= lookedAt) break
    const piece = { start: index, end: index + segment.length, folded: foldSearch(segment) }
    const last = pieces.at(-1)
    // Characters fold as the whole does, but where an accent that is left out stands between parts of a syllable.
    const both = last && foldSearch(text.slice(last.start, piece.end))
    if (both === undefined || both === last!.folded + piece.folded) pieces.push(piece)
    else pieces[pieces.length - 1] = { start: last!.start, end: piece.end, folded: both }
  }
  return {
    folded: pieces.map(({ folded }) => folded).join(''),
    from: pieces.flatMap((piece) => Array.from({ length: piece.folded.length }, () => piece)),
  }
}

function places({ folded, from }: Folded, word: string): Place[] {
  const matches: Place[] = []
  for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length)) {
    matches.push({ start: from[at]!.start, end: from[at + word.length - 1]!.end })
  }
  return matches
}

/** In order, those that touch or overlap as one. */
function merged(places: readonly Place[]): Place[] {
  const apart: Place[] = []
  for (const place of places.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1)
    if (last === undefined || place.start > last.end) apart.push({ ...place })
    else last.end = Math.max(last.end, place.end)
  }
  return apart
}
