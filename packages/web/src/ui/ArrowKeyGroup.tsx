import { useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'

type Props = {
  role: 'toolbar' | 'menu'
  label: string
  className?: string | undefined
  children: ReactNode
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
  Home: -Infinity,
  End: Infinity,
}

/**
 * Many buttons of which Tab reaches the one that was used last, and the arrow keys the others
 * (https://www.w3.org/WAI/ARIA/apg/practices/keyboard-interface/#kbd_roving_tabindex).
 */
export function ArrowKeyGroup({ role, label, className, children }: Props) {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const buttons = buttonsOf(bar.current!)
    enter(buttons, buttons.find(({ tabIndex }) => tabIndex === 0) ?? buttons[0])
  })
  const onFocus = ({ currentTarget, target }: FocusEvent<HTMLDivElement>) =>
    enter(buttonsOf(currentTarget), target)
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const buttons = buttonsOf(event.currentTarget)
    const place = buttons.findIndex((button) => button === event.target) + step
    buttons[Math.max(0, Math.min(buttons.length - 1, place))]?.focus()
  }
  return (
    // It takes keys for the buttons in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={bar}
      role={role}
      aria-label={label}
      className={className}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  )
}

function buttonsOf(bar: HTMLElement): HTMLButtonElement[] {
  return [...bar.querySelectorAll('button')]
}

function enter(buttons: readonly HTMLElement[], entered: EventTarget | undefined): void {
  for (const button of buttons) button.tabIndex = button === entered ? 0 : -1
}
