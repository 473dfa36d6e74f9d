import { NativeSelect } from '@mantine/core'
import { choiceText } from './filter-text.ts'
import { choiceKey, type Choice } from './simple-filter.ts'

type Props = {
  choices: readonly Choice[]
  picked: Choice | undefined
  onChange: (key: string) => void
}

/** Picks what is asked of a field. */
export function OperatorPicker({ choices, picked, onChange }: Props) {
  return (
    <NativeSelect
      label="Operator"
      value={picked && choiceKey(picked)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {choices.map((choice) => (
        <option key={choiceKey(choice)} value={choiceKey(choice)}>
          {choiceText(choice)}
        </option>
      ))}
    </NativeSelect>
  )
}
