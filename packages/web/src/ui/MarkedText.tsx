import { markedParts } from './marked-parts.ts'
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
