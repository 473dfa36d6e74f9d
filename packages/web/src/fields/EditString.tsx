import { countCodePoints } from '@vitrine/contract'
import type { EditProps } from './edit-props.ts'
import { describedInput, FieldFrame } from './FieldFrame.tsx'
import classes from './EditString.module.css'

/** A longer text is likely to have several lines. */
const oneLineLength = 200
/** The counter speaks up once so little is left, so that a screen reader is not kept busy. */
const nearTheEnd = 0.1

/**
 * A text input with the length of the schema. The length counts code points, and the `maxlength`
 * attribute UTF-16 units: it would refuse what fits. So what is too long is told, and never cut.
 */
export function EditString({ field, id, entry = '', error, onChange }: EditProps<string>) {
  const { length = Infinity } = field
  const attributes = {
    ...describedInput(id, field, error),
    className: classes.input,
    value: entry,
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  return (
    <FieldFrame
      field={field}
      id={id}
      takes={field.length === undefined ? 'text' : `at most ${field.length} characters`}
      error={error}
      aside={field.length !== undefined && <Counter text={entry} length={field.length} />}
    >
      {length > oneLineLength ? (
        <textarea {...attributes} rows={4} />
      ) : (
        <input {...attributes} type="text" />
      )}
    </FieldFrame>
  )
}

function Counter({ text, length }: { text: string; length: number }) {
  const count = countCodePoints(text)
  return (
    <span
      className={classes.counter}
      data-over={count > length || undefined}
      aria-live={length - count < length * nearTheEnd ? 'polite' : 'off'}
    >
      {count} / {length}
    </span>
  )
}
