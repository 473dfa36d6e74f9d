import { countCodePoints } from '@vitrine/contract'
import { useCallback } from 'react'
import type { EditProps } from './entry.ts'
import { EditChoice } from './EditChoice.tsx'
import { describedInput, FieldFrame } from './FieldFrame.tsx'
import classes from './EditString.module.css'

/** Fields with a larger length get an input of several lines. */
const oneLineLength = 200
/** Share of the length below which a screen reader announces what is left. */
const nearTheEnd = 0.1

export function EditString(props: EditProps<string>) {
  const { choices } = props.field
  if (choices === undefined) return <EditText {...props} />
  // The form omits empty values, so the empty text cannot be chosen.
  const offered = choices.filter((choice) => choice !== '')
  return <EditChoice {...props} takes={`one of ${offered.length} choices`} choices={offered} />
}

/**
 * A text input with the length of the schema. The length counts code points,
 * but the `maxlength` attribute counts UTF-16 units. So the attribute grows by one for each character
 * of two units, before the browser applies it.
 */
function EditText({ field, id, entry = '', error, onChange }: EditProps<string>) {
  const { length } = field
  const makeRoom = useCallback(
    (input: HTMLInputElement | HTMLTextAreaElement | null) => {
      if (input === null || length === undefined) return undefined
      const listen = ({ data }: InputEvent) => {
        input.maxLength = maxUnits(length, input.value + (data ?? ''))
      }
      const controller = new AbortController()
      // React's `onBeforeInput` is a different event.
      input.addEventListener('beforeinput', listen as EventListener, controller)
      return () => controller.abort()
    },
    [length],
  )
  const attributes = {
    ...describedInput(id, field, error),
    ref: makeRoom,
    className: classes.input,
    dir: 'auto',
    value: entry,
    maxLength: length === undefined ? undefined : maxUnits(length, entry),
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
      {length === undefined || length > oneLineLength ? (
        <textarea {...attributes} rows={4} />
      ) : (
        <input {...attributes} type="text" />
      )}
    </FieldFrame>
  )
}

/** The `maxlength`, in UTF-16 units, that allows `text` to have `length` code points. */
function maxUnits(length: number, text: string): number {
  return length + text.length - countCodePoints(text)
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
