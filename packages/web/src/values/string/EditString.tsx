import { countCodePoints } from '@vitrine/contract'
import { useCallback } from 'react'
import type { EditProps } from '../edit-props.ts'
import { describedInput, FieldFrame } from '../FieldFrame.tsx'
import classes from './EditString.module.css'

/** A longer text is likely to have several lines. */
const oneLineLength = 200
/** The counter speaks up once so little is left, so that a screen reader is not kept busy. */
const nearTheEnd = 0.1

/**
 * A text input with the length of the schema (specification §5). The length counts code points, and
 * the `maxlength` attribute UTF-16 units; so the attribute grows with every character that takes two,
 * before the browser holds the input against it.
 */
export function EditString({ field, id, entry = '', error, onChange }: EditProps<string>) {
  const { length } = field
  const makeRoom = useCallback(
    (input: HTMLInputElement | HTMLTextAreaElement | null) => {
      if (input === null || length === undefined) return undefined
      const listen = ({ data }: InputEvent) => {
        input.maxLength = maxUnits(length, input.value + (data ?? ''))
      }
      const controller = new AbortController()
      // Not React's own `onBeforeInput`, which is another event.
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

/** How many UTF-16 units may stand where `length` code points may, given the text that is to stand. */
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
