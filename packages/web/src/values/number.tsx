import { plainText } from '@vitrine/contract'
import classes from './Digits.module.css'
import type { CellValue, ShownValue } from './value.ts'
import type { EditProps } from './entry.ts'
import { EditLine } from './EditLine.tsx'
import textClasses from './ShowText.module.css'

/** Digits of a whole part that stands without groups, as years do. */
const ungroupedMost = 4

/**
 * Text of a number with its digits in groups of three, which are set apart and not separated: what is selected and
 * copied is the number. ISO 80000-1 § 7.3.1 has the groups, and four digits in one.
 */
function Digits({ text }: { text: string }) {
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

/** The whole app uses tabular figures (base.css). */
export function NumberCell({ value }: CellValue) {
  return <Digits text={plainText(value)} />
}

export function EditInteger(props: EditProps<string>) {
  return <EditLine {...props} takes="a whole number" />
}

export function EditNumber(props: EditProps<string>) {
  return <EditLine {...props} takes="a number" />
}

export function ShowNumber({ value }: ShownValue) {
  return (
    <p className={textClasses.text}>
      <Digits text={plainText(value)} />
    </p>
  )
}
