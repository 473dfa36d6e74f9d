import { Button } from '@mantine/core'
import type { ShownField } from '@vitrine/contract'
import { useState } from 'react'
import { ButtonRow } from '../../../ui/ButtonRow.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { LiveText } from '../../../ui/LiveText.tsx'
import { chosenColumns, noChoice, withMoved, withPinned, withShown } from './column-choice.ts'
import classes from './ColumnsDialog.module.css'
import { ColumnLine } from './ColumnLine.tsx'
import type { Columns } from './use-columns.ts'

type Props = { schema: readonly ShownField[]; columns: Columns; onClose: () => void }

/** Dialog for which fields have a column, their order, and which of them stay in view. */
export function ColumnsDialog({ schema, columns: { choice, choose }, onClose }: Props) {
  const [announcement, announce] = useState<string>()
  const lines = chosenColumns(schema, choice)
  const shown = lines.filter(({ isShown }) => isShown).length
  const move = (name: string, step: -1 | 1) => {
    const next = withMoved(schema, choice, name, step)
    choose(next)
    const place = chosenColumns(schema, next).findIndex(({ field }) => field.name === name)
    announce(`${name} is ${place + 1} of ${schema.length}`)
  }
  return (
    <Dialog title="Columns" onClose={onClose}>
      <div className={classes.all}>
        <label className={classes.field}>
          <input
            type="checkbox"
            checked={shown === schema.length}
            ref={(box) => {
              if (box) box.indeterminate = shown > 0 && shown < schema.length
            }}
            onChange={() =>
              choose({
                ...choice,
                hidden: shown === schema.length ? schema.map(({ name }) => name) : [],
              })
            }
          />
          All fields
        </label>
        <Button
          variant="default"
          size="compact-md"
          onClick={() => {
            choose(noChoice)
            announce('The columns are those of the schema again')
          }}
        >
          Reset
        </Button>
      </div>
      <ol className={classes.lines} aria-label="Fields">
        {lines.map((line, place) => (
          <ColumnLine
            key={line.field.name}
            {...line}
            canRise={lines[place - 1]?.isPinned === line.isPinned}
            canFall={lines[place + 1]?.isPinned === line.isPinned}
            onShow={(isShown) => choose(withShown(choice, line.field.name, isShown))}
            onPin={(isPinned) => choose(withPinned(choice, line.field.name, isPinned))}
            onMove={(step) => move(line.field.name, step)}
          />
        ))}
      </ol>
      <p className={classes.note}>
        Kept in this browser, for this dataset. Exports have every field.
      </p>
      <ButtonRow end>
        <span className={classes.said}>
          <LiveText>{announcement}</LiveText>
        </span>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </ButtonRow>
    </Dialog>
  )
}
