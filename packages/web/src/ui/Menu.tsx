import { useLayoutEffect, useRef, type RefObject } from 'react'
import { ArrowKeyGroup } from './ArrowKeyGroup.tsx'
import classes from './Menu.module.css'

/** Something to do; what cannot be done says why. */
export type MenuEntry = { label: string } & ({ run: () => void } | { whyNot: string })

type Props = {
  label: string
  /** Element at which it opens, and to which the focus returns. */
  anchor: RefObject<HTMLElement | null>
  entries: readonly MenuEntry[]
  onClose: () => void
}

/** A menu, open while it is mounted; Escape, Tab and pressing anything beside it close it. */
export function Menu({ label, anchor, entries, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  useLayoutEffect(() => {
    close.current = onClose
  })
  useLayoutEffect(() => {
    const [menu, button] = [box.current!, anchor.current!]
    menu.showPopover()
    placeAt(menu, button)
    menu.querySelector('button')?.focus()
    const onToggle = ({ newState }: ToggleEvent) => {
      if (newState === 'closed') close.current()
    }
    const { left, top } = button.getBoundingClientRect()
    // What was scrolled before it opened is told of afterwards.
    const onScroll = () => {
      const now = button.getBoundingClientRect()
      if (now.left !== left || now.top !== top) close.current()
    }
    menu.addEventListener('toggle', onToggle)
    window.addEventListener('scroll', onScroll, { capture: true, passive: true })
    return () => {
      const hadFocus = menu.contains(document.activeElement)
      menu.removeEventListener('toggle', onToggle)
      window.removeEventListener('scroll', onScroll, { capture: true })
      menu.hidePopover()
      if (hadFocus) button.focus()
    }
  }, [anchor])
  return (
    // The keys are those of the menu in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={box}
      popover="auto"
      className={classes.menu}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Tab') onClose()
      }}
    >
      <ArrowKeyGroup role="menu" label={label} className={classes.entries}>
        {entries.map((entry) => {
          const whyNot = 'whyNot' in entry ? entry.whyNot : undefined
          return (
            <button
              key={entry.label}
              type="button"
              role="menuitem"
              aria-disabled={whyNot !== undefined}
              onClick={() => {
                if (!('run' in entry)) return
                onClose()
                entry.run()
              }}
            >
              {entry.label}
              {whyNot !== undefined && <small>{whyNot}</small>}
            </button>
          )
        })}
      </ArrowKeyGroup>
    </div>
  )
}

/** Below what opens it, or above where there is no room, within the window. */
function placeAt(menu: HTMLElement, button: HTMLElement): void {
  const [at, { width, height }] = [button.getBoundingClientRect(), menu.getBoundingClientRect()]
  const left = Math.min(at.left, document.documentElement.clientWidth - width)
  const top = at.bottom + height > window.innerHeight ? at.top - height : at.bottom
  menu.style.left = `${Math.max(0, left)}px`
  menu.style.top = `${Math.max(0, top)}px`
}
