import {
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
} from 'react'
import classes from './ColumnWidth.module.css'

/** How wide a column is, in CSS pixels, and what to do when that is changed. */
export type Resize = {
  /** Name of the column. */
  name: string
  /** Without one the column is as wide as what is in it. */
  width: number | undefined
  onResize: (width: number | undefined) => void
}

const [least, most] = [56, 1200]
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }
const rowSteps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

type Props = Resize & {
  /** Whether Tab reaches this column before all others. */
  isFirst: boolean
}

/**
 * The end of a column's head, by which the column is made wider or narrower: with the pointer or the arrow keys to
 * the sides. Tab reaches one of them, the arrow keys up and down the others.
 */
export function ColumnWidth({ name, width, onResize, isFirst }: Props) {
  const line = useRef<HTMLDivElement>(null)
  const drag = useRef<{ from: number; width: number; hasBegun: boolean }>(undefined)
  const [shown, setShown] = useState<number>()
  useLayoutEffect(() => {
    const head = headOf(line.current!)
    const observer = new ResizeObserver(() => setShown(Math.round(head.offsetWidth)))
    observer.observe(head)
    return () => observer.disconnect()
  }, [])

  const dragged = ({ clientX }: PointerEvent) => {
    const { from, width: before } = drag.current!
    return within(before + clientX - from)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (drag.current === undefined) return
    // The values are rendered anew when the column gets a width, and not again while that changes.
    if (drag.current.hasBegun) {
      headOf(event.currentTarget).style.setProperty('--width', `${dragged(event)}px`)
    } else if (Math.abs(event.clientX - drag.current.from) > 2) {
      drag.current.hasBegun = true
      onResize(dragged(event))
    }
  }
  const end = (event: PointerEvent<HTMLDivElement>) => {
    if (drag.current?.hasBegun === true) onResize(dragged(event))
    drag.current = undefined
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { key, currentTarget, shiftKey } = event
    if (Object.hasOwn(steps, key)) {
      onResize(within(headOf(currentTarget).offsetWidth + steps[key]! * (shiftKey ? 64 : 16)))
    } else if (Object.hasOwn(rowSteps, key)) {
      const all = linesBeside(currentTarget)
      all[all.indexOf(currentTarget) + rowSteps[key]!]?.focus()
    } else if (key === 'Enter') {
      onResize(undefined)
    } else {
      return
    }
    event.preventDefault()
  }
  const onFocus = ({ currentTarget }: FocusEvent<HTMLDivElement>) => {
    for (const each of linesBeside(currentTarget)) each.tabIndex = each === currentTarget ? 0 : -1
  }
  return (
    // A separator that takes the focus is a widget (ARIA 1.2, "separator"), which hr is not.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={line}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${name}`}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={shown ?? width ?? least}
      aria-valuetext={`${shown ?? width ?? least} pixels`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={isFirst ? 0 : -1}
      className={classes.line}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onResize(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = {
          from: event.clientX,
          width: headOf(event.currentTarget).offsetWidth,
          hasBegun: false,
        }
      }}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
    />
  )
}

function within(width: number): number {
  return Math.round(Math.max(least, Math.min(most, width)))
}

function headOf(line: Element): HTMLElement {
  return line.closest<HTMLElement>('th')!
}

function linesBeside(line: Element): HTMLElement[] {
  return [...line.closest('tr')!.querySelectorAll<HTMLElement>('[role="separator"]')]
}
