import { Button } from '@mantine/core'
import { useState } from 'react'
import { ButtonRow } from '../ui/ButtonRow.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { commandKey, singleKeys } from './palette-keys.ts'
import classes from './Shortcuts.module.css'

const shortcuts: readonly (readonly [string, readonly string[]])[] = [
  ['Search and commands', [`${commandKey} K`, '/']],
  ['These shortcuts', ['?']],
  ['In the palette: mark another, go to it', ['↑ ↓', 'Enter']],
  ['In a row of a table: another row', ['↑ ↓', 'j', 'k']],
  ['In a row of items: another cell, its menu', ['← →', 'Enter']],
  ['In a row of items: show it beside the table, as a click does', ['Space']],
  ['Beside the table: the item above or below', ['↑ ↓', 'j', 'k']],
  ['At the end of a column head: its width, another', ['← →', '↑ ↓']],
  ['In Columns: move a field', ['Alt ↑ ↓']],
  ['Close what is open', ['Esc']],
  ['In a description: what fits here', ['Ctrl Space']],
  ['In a description: submit it', [`${commandKey} Enter`]],
]

/** Every key that does something, and a way to turn off those that are pressed alone. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const [areOn, setOn] = useState(singleKeys.areOn)
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <dl className={classes.shortcuts}>
        {shortcuts.map(([what, keys]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className={classes.option}>
        <input
          type="checkbox"
          checked={areOn}
          onChange={({ currentTarget: { checked } }) => {
            singleKeys.turn(checked)
            setOn(checked)
          }}
        />
        Keys that are pressed alone: / and ?
      </label>
      <ButtonRow end>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </ButtonRow>
    </Dialog>
  )
}
