import { NativeSelect, TextInput } from '@mantine/core'
import { comparedType, type OperatorName, type ValueType } from '@vitrine/contract'
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
  const { example, isTruth } = comparedType(type).operandInput
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
  if (isTruth && operandEntry(operator) === 'one') return truth('true', 'false')
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
            placeholder={example}
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
          placeholder={example}
          value={text}
          error={problem}
          onChange={({ currentTarget }) => onChange([currentTarget.value])}
        />
      )
  }
}
