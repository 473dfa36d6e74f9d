import { canonicalJson, plainText } from '@vitrine/contract'
import { TextCell } from './TextCell.tsx'
import type { CellValue, ShownValue } from './value.ts'
import type { EditProps } from './entry.ts'
import { describedInput, FieldFrame } from './FieldFrame.tsx'
import inputClasses from './EditString.module.css'
import classes from './EditJson.module.css'
import { Json } from '../ui/Json.tsx'

/** Characters shown of a value, which may have a mebibyte. */
const mostShown = 200

export function JsonCell({ value, cut }: CellValue) {
  if (cut !== undefined) return <TextCell value={plainText(value).slice(0, mostShown)} cut={cut} />
  const text = canonicalJson(value)
  return <TextCell value={text.length > mostShown ? `${text.slice(0, mostShown)}…` : text} />
}

export function EditJson({ field, id, entry = '', error, onChange }: EditProps<string>) {
  return (
    <FieldFrame field={field} id={id} takes="JSON" error={error}>
      <textarea
        {...describedInput(id, field, error)}
        className={`${inputClasses.input} ${classes.json}`}
        rows={6}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        value={entry}
        onChange={({ target }) => onChange(target.value)}
      />
    </FieldFrame>
  )
}

/** Shows a value as formatted JSON. */
export function ShowJson({ field, value }: ShownValue) {
  return <Json value={value} label={field.name} />
}
