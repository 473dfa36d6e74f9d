import '@mantine/core/styles/Input.css'
import { NativeSelect, TextInput } from '@mantine/core'
import type { ShownField } from '@vitrine/contract'
import type { FileWithPath } from '../../files/file-with-path.ts'
import classes from './SourceForm.module.css'
import {
  fileSources,
  textOf,
  type ValueSource,
  type ValueSources,
} from '../../files/value-source.ts'

type Props = {
  schema: readonly ShownField[]
  sources: ValueSources
  /** A file to show the values of. */
  sample: FileWithPath | undefined
  disabled: boolean
  onChange: (sources: ValueSources) => void
}

/** Form for the sources of the values beside the file: one line a field. */
export function SourceForm({ schema, sources, sample, disabled, onChange }: Props) {
  return (
    <fieldset className={classes.sources} disabled={disabled}>
      {schema
        .filter(({ type }) => type !== 'binary')
        .map((field) => {
          const source = sources[field.name] ?? { from: 'none' }
          const change = (next: ValueSource) => onChange({ ...sources, [field.name]: next })
          return (
            <div key={field.name} className={classes.source}>
              <span className={classes.name}>
                {field.name}{' '}
                <span className={classes.note}>
                  {field.optional === true ? 'optional' : 'required'}
                </span>
              </span>
              <NativeSelect
                aria-label={`Source of ${field.name}`}
                value={source.from}
                onChange={({ currentTarget }) => change(sourceOf(currentTarget.value))}
              >
                {field.type === 'string' &&
                  Object.entries(fileSources).map(([from, { label }]) => (
                    <option key={from} value={from}>
                      {label}
                    </option>
                  ))}
                <option value="same">the same {sameOf[field.type] ?? 'value'} for all</option>
                {field.optional === true && <option value="none">nothing</option>}
              </NativeSelect>
              {source.from === 'same' ? (
                <TextInput
                  aria-label={`${field.name} of every item`}
                  value={source.text}
                  inputMode={field.type === 'reference' ? 'numeric' : 'text'}
                  onChange={({ currentTarget }) =>
                    change({ from: 'same', text: currentTarget.value })
                  }
                />
              ) : (
                <span className={classes.sample}>{sample && textOf(sample, source)}</span>
              )}
            </div>
          )
        })}
    </fieldset>
  )
}

const sameOf: Readonly<Record<string, string>> = { string: 'text', reference: 'item' }

function sourceOf(value: string): ValueSource {
  if (value === 'same') return { from: 'same', text: '' }
  return value in fileSources ? { from: value as keyof typeof fileSources } : { from: 'none' }
}
