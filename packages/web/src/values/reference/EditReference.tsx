import { Suspense } from 'react'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import type { EditProps } from '../edit-props.ts'
import inputClasses from '../string/EditString.module.css'
import { describedInput, FieldFrame } from '../FieldFrame.tsx'
import classes from './EditReference.module.css'
import { ReferenceTarget } from './ReferenceTarget.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'

const ReferencePicker = lazyPart(
  async () => (await import('./ReferencePicker.tsx')).ReferencePicker,
)

/** A number input that names the item with that id, and beside it what finds an item by its name. */
export function EditReference({ field, id, entry = '', error, onChange }: EditProps<string>) {
  const { target = '' } = field
  const { features } = useApp()
  const isFound = features.includes('labels') && features.includes('explore')
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
      <div className={isFound ? classes.pair : undefined}>
        <input
          {...describedInput(id, field, error)}
          className={inputClasses.input}
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          autoComplete="off"
          value={entry}
          onBeforeInput={(event) => {
            // A number input also accepts signs, points and exponents, and hides text that is no number.
            const typed = (event as unknown as { data: string | null }).data ?? ''
            if (/\D/.test(typed)) event.preventDefault()
          }}
          // Scrolling over a focused number input would change the number.
          onWheel={({ currentTarget }) => currentTarget.blur()}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
        {isFound && (
          <Suspense>
            <ReferencePicker target={target} label={field.name} onPick={onChange} />
          </Suspense>
        )}
      </div>
    </FieldFrame>
  )
}
