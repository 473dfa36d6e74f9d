import '@mantine/core/styles/Input.css'
import { NativeSelect } from '@mantine/core'
import type { DatasetInfo } from '@vitrine/contract'
import { type PlotChoice, type PlotParts, partnersOf, plottedFields } from './plot-choice.ts'
import classes from './PlotBar.module.css'

type Props = {
  info: DatasetInfo
  choice: PlotChoice
  onChange: (parts: PlotParts) => void
}

/** Bar to choose the columns of a plot, and its mark. */
export function PlotBar({ info, choice: { x, y, mark, marks }, onChange }: Props) {
  const fields = plottedFields(info)
  const partners = partnersOf(x, fields).map(({ name }) => name)
  // A second column that fits another first one as well stays.
  const pickX = (name: string) => {
    const fitting = partnersOf(
      fields.find((field) => field.name === name)!,
      fields,
    )
    onChange({ x: name, y: fitting.find((field) => field.name === y?.name)?.name })
  }
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="group" aria-label="Plot" className={classes.bar}>
      <Picker name="x" value={x.name} options={fields.map(({ name }) => name)} onPick={pickX} />
      <Picker
        name="y"
        value={y?.name ?? ''}
        options={['', ...partners]}
        onPick={(name) => onChange({ x: x.name, y: name === '' ? undefined : name })}
      />
      <Picker
        name="mark"
        value={mark}
        options={marks}
        onPick={(name) =>
          onChange({ x: x.name, y: y?.name, mark: name === marks[0] ? undefined : name })
        }
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
        data={options.map((option) => ({ value: option, label: option === '' ? 'none' : option }))}
        onChange={({ currentTarget }) => onPick(currentTarget.value)}
      />
    </label>
  )
}
