import type { EditProps } from './entry.ts'
import { describedInput, FieldFrame } from './FieldFrame.tsx'
import classes from './EditString.module.css'

type Props = EditProps<string> & {
  /** Describes the accepted values, such as 'one of 3 choices'. */
  takes: string
  choices: readonly string[]
}

/** A select with one option per choice, and one for no value. */
export function EditChoice(props: Props) {
  const { field, id, entry = '', error, takes, choices, onChange } = props
  return (
    <FieldFrame field={field} id={id} takes={takes} error={error}>
      <select
        {...describedInput(id, field, error)}
        className={classes.input}
        value={entry}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{field.optional === true ? 'no value' : 'choose one'}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

/** A select rather than a checkbox: an untouched checkbox would enter `false`. */
export function EditBoolean(props: EditProps<string>) {
  return <EditChoice {...props} takes="true or false" choices={['true', 'false']} />
}
