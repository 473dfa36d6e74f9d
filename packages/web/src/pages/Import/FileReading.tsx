import '@mantine/core/styles/Input.css'
import { NativeSelect } from '@mantine/core'
import type { Reading } from '@vitrine/rows/reading'

type Props = {
  /** Usual delimiter of the format; undefined where there are no cells. */
  usualDelimiter: string | undefined
  reading: Reading
  onChange: (reading: Reading) => void
}

const delimiters = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar (|)' }
const comments = ['#', '##', '//', '--', '%']
const nullTexts = ['\\N', 'NULL', 'null', 'NA', 'N/A', 'n/a', '#N/A', 'NaN', 'nan', 'None', '-']
const skipMost = 20

/** Encodings that files are in most often, beside UTF-8. */
const encodings = {
  'windows-1252': 'Western',
  'windows-1250': 'Central European',
  'iso-8859-2': 'Central European',
  'windows-1251': 'Cyrillic',
  'koi8-r': 'Cyrillic',
  'windows-1253': 'Greek',
  'windows-1254': 'Turkish',
  macintosh: 'Western, older Macs',
  shift_jis: 'Japanese',
  'euc-jp': 'Japanese',
  gb18030: 'Chinese',
  big5: 'Chinese',
  'euc-kr': 'Korean',
  'utf-16le': 'Unicode, Windows',
  'utf-16be': 'Unicode',
}

/** How a file of text is read: what is found out of it, to be changed. */
export function FileReading({ usualDelimiter, reading, onChange }: Props) {
  const { encoding = '' } = reading
  // A rarer one may be detected.
  const named = encoding === '' ? encodings : { [encoding]: 'found', ...encodings }
  const labelled = ([name, whose]: [string, string]) => [name, `${name} (${whose})`] as const
  return (
    <>
      <Choice
        label="Encoding"
        value={encoding}
        options={[['', 'UTF-8'], ...Object.entries(named).map(labelled)]}
        onChoose={(chosen) =>
          onChange({ ...reading, encoding: chosen === '' ? undefined : chosen })
        }
      />
      {usualDelimiter !== undefined && (
        <CellReading usualDelimiter={usualDelimiter} reading={reading} onChange={onChange} />
      )}
    </>
  )
}

function CellReading({ usualDelimiter, reading, onChange }: Props & { usualDelimiter: string }) {
  const { delimiter = usualDelimiter, quote = '"', escape = '', comment = '', skip } = reading
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
        label="Escapes"
        value={escape}
        options={[
          ['', 'none'],
          ...['\\', ...(escape === '' ? [] : [escape])].map(
            (each) => [each, `${each} before quotes`] as const,
          ),
        ]}
        onChoose={(chosen) => onChange({ ...reading, escape: chosen === '' ? undefined : chosen })}
      />
      <CommonReading reading={reading} onChange={onChange} />
      <SkipChoice
        label="Lines before the names"
        skip={skip}
        onChoose={(chosen) => onChange({ ...reading, skip: chosen })}
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

/** Choices of the null text, and of whether columns have names. */
function CommonReading({ reading, onChange }: Pick<Props, 'reading' | 'onChange'>) {
  const { null: nullText = '', header = '' } = reading
  const texts = [...new Set([...nullTexts, ...(nullText === '' ? [] : [nullText])])]
  return (
    <>
      <Choice
        label="Without a value"
        value={nullText}
        options={[
          ['', 'empty cells'],
          ...texts.map((each) => [each, `empty cells and ${each}`] as const),
        ]}
        onChoose={(chosen) => onChange({ ...reading, null: chosen === '' ? undefined : chosen })}
      />
      <Choice
        label="Names of columns"
        value={header}
        options={[
          ['', 'in the first row'],
          ['none', 'not in the file'],
        ]}
        onChoose={(chosen) =>
          onChange({ ...reading, header: chosen === 'none' ? chosen : undefined })
        }
      />
    </>
  )
}

/** Choices of the sheet of a workbook, and of its first row. */
export function SheetReading({
  sheets,
  reading,
  onChange,
}: Pick<Props, 'reading' | 'onChange'> & { sheets: readonly string[] }) {
  const { sheet = '', skip } = reading
  return (
    <>
      <Choice
        label="Sheet"
        value={sheet}
        options={sheets.map((name) => [name, name])}
        onChoose={(chosen) => onChange({ sheet: chosen })}
      />
      <CommonReading reading={reading} onChange={onChange} />
      <SkipChoice
        label="Rows before the names"
        skip={skip}
        onChoose={(chosen) => onChange({ ...reading, skip: chosen })}
      />
    </>
  )
}

function SkipChoice({
  label,
  skip = 0,
  onChoose,
}: {
  label: string
  skip: number | undefined
  onChoose: (skip: number) => void
}) {
  const counts = [...new Set([...Array(skipMost + 1).keys(), skip])]
  return (
    <Choice
      label={label}
      value={String(skip)}
      options={counts.map((each) => [String(each), each === 0 ? 'none' : String(each)])}
      onChoose={(chosen) => onChoose(Number(chosen))}
    />
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
