import type { EditProps } from '../edit-props.ts'
import { describedInput, FieldFrame } from '../FieldFrame.tsx'
import inputClasses from '../string/EditString.module.css'
import classes from './EditJson.module.css'

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
