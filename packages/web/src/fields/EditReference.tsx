import { Link } from 'react-router'
import { paths } from '../paths.ts'
import type { EditProps } from '../values/edit-props.ts'
import classes from '../values/string/EditString.module.css'
import { describedInput, FieldFrame } from '../values/FieldFrame.tsx'
import { ReferenceTarget } from '../values/reference/ReferenceTarget.tsx'

/** A number input that shows which item its number points at. */
export function EditReference({ field, id, entry = '', error, onChange }: EditProps<string>) {
  const { target = '' } = field
  return (
    <FieldFrame
      field={field}
      id={id}
      takes={`the id of an item of ${target}`}
      error={error}
      finding={entry !== '' && <ReferenceTarget target={target} itemId={entry} />}
      aside={
        <Link to={paths.items(target)} target="_blank" rel="noreferrer">
          Browse {target}
        </Link>
      }
    >
      <input
        {...describedInput(id, field, error)}
        className={classes.input}
        type="number"
        inputMode="numeric"
        min={1}
        step={1}
        autoComplete="off"
        value={entry}
        onBeforeInput={(event) => {
          // A number input takes signs, points and exponents too, and hides what it cannot read.
          const typed = (event as unknown as { data: string | null }).data ?? ''
          if (/\D/.test(typed)) event.preventDefault()
        }}
        // A wheel that turns over a focused number input would change the number unseen.
        onWheel={({ currentTarget }) => currentTarget.blur()}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </FieldFrame>
  )
}
