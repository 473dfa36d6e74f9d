import classes from './Digits.module.css'

/** Digits of a whole part that stands without groups, as years do. */
const ungroupedMost = 4

/**
 * Text of a number with its digits in groups of three, which are set apart and not separated: what is selected and
 * copied is the number. ISO 80000-1 § 7.3.1 has the groups, and four digits in one.
 */
export function Digits({ text }: { text: string }) {
  const whole = /^-?(\d+)/.exec(text)?.[1] ?? ''
  if (whole.length <= ungroupedMost) return text
  const from = text.indexOf(whole)
  const first = from + (whole.length % 3 || 3)
  const end = from + whole.length
  const groups: string[] = []
  for (let at = first; at < end; at += 3) groups.push(text.slice(at, at + 3))
  return (
    <>
      {text.slice(0, first)}
      {groups.map((group, index) => (
        // Digits are told apart by their place.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className={classes.group}>
          {group}
        </span>
      ))}
      {text.slice(end)}
    </>
  )
}
