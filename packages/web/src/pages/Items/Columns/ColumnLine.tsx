import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPin, type TablerIcon } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import classes from './ColumnsDialog.module.css'

type Props = {
  field: { name: string; type: string }
  isShown: boolean
  isPinned: boolean
  canRise: boolean
  canFall: boolean
  onShow: (isShown: boolean) => void
  onPin: (isPinned: boolean) => void
  onMove: (step: -1 | 1) => void
}

const steps: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 }

/** One field in the choice of columns; with Alt the arrow keys move it, without they go to the next one. */
export function ColumnLine(props: Props) {
  const { field, isShown, isPinned, canRise, canFall, onShow, onPin, onMove } = props
  const { name, type } = field
  const onKeyDown = (event: KeyboardEvent<HTMLLIElement>) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    if (event.altKey) onMove(step)
    else goBeside(event.currentTarget, event.target, step)
  }
  return (
    // The keys are those of what is in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li className={classes.line} onKeyDown={onKeyDown}>
      <label className={classes.field}>
        <input
          type="checkbox"
          checked={isShown}
          onChange={({ currentTarget: { checked } }) => onShow(checked)}
        />
        <bdi className={classes.name} title={name}>
          {name}
        </bdi>
        <span className={classes.type}>{type}</span>
      </label>
      <Action
        label={`Keep ${name} in view`}
        Icon={IconPin}
        pressed={isPinned}
        run={() => onPin(!isPinned)}
      />
      <Action label={`Move ${name} up`} Icon={IconArrowUp} able={canRise} run={() => onMove(-1)} />
      <Action
        label={`Move ${name} down`}
        Icon={IconArrowDown}
        able={canFall}
        run={() => onMove(1)}
      />
    </li>
  )
}

type ActionProps = {
  label: string
  Icon: TablerIcon
  pressed?: boolean
  able?: boolean
  run: () => void
}

function Action({ label, Icon, pressed, able = true, run }: ActionProps) {
  return (
    <ActionIcon
      variant="default"
      size="1.75rem"
      className={classes.action}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      // It keeps the focus where it can do nothing more.
      aria-disabled={!able}
      onClick={() => {
        if (able) run()
      }}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}

/** Goes to what stands at the same place of the line above or below. */
function goBeside(line: Element, from: EventTarget, step: -1 | 1): void {
  const next = step > 0 ? line.nextElementSibling : line.previousElementSibling
  const place = controlsOf(line).findIndex((control) => control === from)
  if (next !== null) controlsOf(next)[place]?.focus()
}

function controlsOf(line: Element): HTMLElement[] {
  return [...line.querySelectorAll<HTMLElement>('input, button')]
}
