import '@mantine/core/styles/Input.css'
import { NativeSelect } from '@mantine/core'
import type { DatasetInfo } from '@vitrine/contract'
import { plottedFields, type PlotChoice } from './plot-choice.ts'
import classes from './PlotBar.module.css'

type Props = {
  info: DatasetInfo
  choice: PlotChoice
  onChange: (parts: { x: string; mark?: string | undefined }) => void
}

/** Which column is plotted, and how. */
export function PlotBar({ info, choice: { x, mark, marks }, onChange }: Props) {
  const names = plottedFields(info).map(({ name }) => name)
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="group" aria-label="Plot" className={classes.bar}>
      <Picker name="x" value={x.name} options={names} onPick={(name) => onChange({ x: name })} />
      <Picker
        name="mark"
        value={mark}
        options={marks}
        onPick={(name) => onChange({ x: x.name, mark: name === marks[0] ? undefined : name })}
      />
    </div>
  )
}

type PickerProps = {
  name: string
  value: string
  options: readonly string[]
  onPick: (option: string) => void
}

function Picker({ name, value, options, onPick }: PickerProps) {
  return (
    <label className={classes.picker}>
      {name}
      <NativeSelect
        className={classes.select}
        size="xs"
        value={value}
        data={[...options]}
        onChange={({ currentTarget }) => onPick(currentTarget.value)}
      />
    </label>
  )
}
