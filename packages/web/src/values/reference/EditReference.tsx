import { readId } from '@vitrine/contract'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import type { EditProps } from '../entry.ts'
import inputClasses from '../EditString.module.css'
import { describedInput, FieldFrame } from '../FieldFrame.tsx'
import { ReferenceTarget } from './ReferenceTarget.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'

const ItemCombobox = lazyPart(async () => (await import('./ItemCombobox.tsx')).ItemCombobox)

/** An input that names an item: by its label or id, or by its id alone where the server has no labels. */
export function EditReference({ field, id, entry = '', error, onChange }: EditProps<string>) {
  const { target = '' } = field
  const { features } = useApp()
  const isFound = features.includes('labels') && features.includes('explore')
  return (
    <FieldFrame
      field={field}
      id={id}
      takes={isFound ? `an item of ${target}` : `the id of an item of ${target}`}
      error={error}
      finding={
        readId(entry) !== undefined && (
          <ReferenceTarget target={target} itemId={entry} isNamed={isFound} />
        )
      }
      aside={
        <Link to={paths.items(target)} target="_blank" rel="noreferrer">
          Browse {target}
        </Link>
      }
    >
      {isFound ? (
        <Suspense
          fallback={
            <input {...describedInput(id, field, error)} className={inputClasses.input} disabled />
          }
        >
          <ItemCombobox
            {...describedInput(id, field, error)}
            target={target}
            entry={entry}
            onChange={onChange}
          />
        </Suspense>
      ) : (
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
      )}
    </FieldFrame>
  )
}
