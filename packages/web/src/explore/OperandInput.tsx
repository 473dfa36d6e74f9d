import { NativeSelect, TextInput } from '@mantine/core'
import type { OperatorName, ValueType } from '@vitrine/contract'
import classes from './FilterDialog.module.css'
import { operandEntry } from './operand-text.ts'

type Props = {
  operator: OperatorName
  type: ValueType
  texts: readonly string[]
  /** The problem with the input. */
  problem: string | undefined
  onChange: (texts: string[]) => void
}

/** Takes the value that an operator compares with. */
export function OperandInput({ operator, type, texts, problem, onChange }: Props) {
  const [text = '', second = ''] = texts
  const plain = {
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    dir: 'auto',
  } as const
  const truth = (yes: string, no: string) => (
    <NativeSelect
      data-operand
      label="Value"
      value={text === 'false' ? 'false' : 'true'}
      onChange={({ currentTarget }) => onChange([currentTarget.value])}
    >
      <option value="true">{yes}</option>
      <option value="false">{no}</option>
    </NativeSelect>
  )
  if (type === 'boolean' && operandEntry(operator) === 'one') return truth('true', 'false')
  switch (operandEntry(operator)) {
    case 'flag':
      return truth('yes', 'no')
    case 'ends':
      return (
        <div className={classes.ends}>
          <TextInput
            {...plain}
            data-operand
            label="From"
            placeholder={examples[type]}
            value={text}
            error={problem}
            onChange={({ currentTarget }) => onChange([currentTarget.value, second])}
          />
          <TextInput
            {...plain}
            label="To"
            value={second}
            onChange={({ currentTarget }) => onChange([text, currentTarget.value])}
          />
        </div>
      )
    case 'one':
    case 'list':
      return (
        <TextInput
          {...plain}
          data-operand
          label={operandEntry(operator) === 'list' ? 'Values, with commas between' : 'Value'}
          placeholder={examples[type]}
          value={text}
          error={problem}
          onChange={({ currentTarget }) => onChange([currentTarget.value])}
        />
      )
  }
}

const examples: Partial<Record<ValueType, string>> = {
  reference: 'the id of an item',
  date: '2026-01-31',
  timestamp: '2026-01-31 or 2026-01-31T09:30:00Z',
  createdAt: '2026-01-31 or 2026-01-31T09:30:00Z',
  mime: 'image/png or image/*',
  sha256: '64 hex digits',
}
