import { NativeSelect } from '@mantine/core'
import type { ValueType } from '@vitrine/contract'
import { choiceText } from './filter-text.ts'
import { choiceGroups, choiceKey, type Choice } from './simple-filter.ts'

type Props = {
  /** Undefined until it is known. */
  type: ValueType | undefined
  picked: Choice | undefined
  onChange: (key: string) => void
}

/** Picks what is asked of a field. */
export function OperatorPicker({ type, picked, onChange }: Props) {
  return (
    <NativeSelect
      label="Operator"
      value={picked && choiceKey(picked)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {type !== undefined &&
        choiceGroups(type).map(({ label, choices }) => (
          <optgroup key={label} label={label}>
            {choices.map((choice) => (
              <option key={choiceKey(choice)} value={choiceKey(choice)}>
                {choiceText(choice)}
              </option>
            ))}
          </optgroup>
        ))}
    </NativeSelect>
  )
}
