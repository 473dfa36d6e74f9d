import '@mantine/core/styles/Input.css'
import { NativeSelect } from '@mantine/core'
import type { DelimitedReading } from '@vitrine/rows/read-rows'

type Props = {
  /** What stands between cells unless something else is said. */
  usualDelimiter: string
  reading: DelimitedReading
  onChange: (reading: DelimitedReading) => void
}

const delimiters = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar (|)' }
const comments = ['#', '##', '//', '--', '%']
const skipMost = 20

/** How a file of CSV or TSV is read: what is found out of it, to be changed. */
export function FileReading({ usualDelimiter, reading, onChange }: Props) {
  const { delimiter = usualDelimiter, quote = '"', comment = '', skip = 0 } = reading
  const lines = [...new Set([...Array(skipMost + 1).keys(), skip])]
  return (
    <>
      <Choice
        label="Delimiter"
        value={delimiter}
        options={Object.entries({ [delimiter]: delimiter, ...delimiters })}
        onChoose={(chosen) => onChange({ ...reading, delimiter: chosen })}
      />
      <Choice
        label="Quotes"
        value={quote}
        options={[
          ['"', 'stand around cells'],
          ['none', 'mean nothing'],
        ]}
        onChoose={(chosen) => onChange({ ...reading, quote: chosen })}
      />
      <Choice
        label="Lines before the names"
        value={String(skip)}
        options={lines.map((each) => [String(each), each === 0 ? 'none' : String(each)])}
        onChoose={(chosen) => onChange({ ...reading, skip: Number(chosen) })}
      />
      <Choice
        label="Comments"
        value={comment}
        options={[['', 'none'], ...comments.map((each) => [each, `begin with ${each}`] as const)]}
        onChoose={(chosen) => onChange({ ...reading, comment: chosen === '' ? undefined : chosen })}
      />
    </>
  )
}

type ChoiceProps = {
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onChoose: (value: string) => void
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </NativeSelect>
  )
}
