import type { ComponentProps } from 'react'
import type { EditProps } from './entry.ts'
import { describedInput, FieldFrame } from './FieldFrame.tsx'
import { readEntry } from './read-entry.ts'
import classes from './EditString.module.css'

type Props = EditProps<string> & {
  /** Describes the accepted values, such as 'a number'. */
  takes: string
} & Pick<ComponentProps<'input'>, 'type' | 'placeholder' | 'min' | 'max'>

/** A one-line input that shows the canonical text if it differs from what was typed. */
export function EditLine(props: Props) {
  const { field, id, entry = '', error, takes, onChange, onUnfinished, ...input } = props
  const read = readEntry(field, entry)
  return (
    <FieldFrame
      field={field}
      id={id}
      takes={takes}
      error={error}
      finding={read.ok && read.value !== entry && <output>Kept as {read.value}</output>}
    >
      <input
        {...describedInput(id, field, error)}
        {...input}
        className={classes.input}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={entry}
        onChange={({ target }) => onChange(target.value)}
        // A half-typed date leaves `value` empty and fires no change event; only `validity` tells.
        onBlur={({ target }) => onUnfinished(target.validity.badInput)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') onUnfinished(currentTarget.validity.badInput)
        }}
        onKeyUp={({ currentTarget }) => {
          if (!currentTarget.validity.badInput) onUnfinished(false)
        }}
      />
    </FieldFrame>
  )
}
