import { IconDotsVertical } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Menu, type MenuEntry } from './Menu.tsx'

type Props = {
  /** Accessible name of the button and of the menu. */
  label: string
  className?: string | undefined
  /** Asked for when it opens. */
  entries: () => readonly MenuEntry[]
}

/** A button that the arrow keys of its row reach, and that opens a menu. */
export function MenuButton({ label, className, entries }: Props) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        tabIndex={-1}
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        // Pressing anything beside a menu closes it, its own button too, which must not open it again.
        onPointerDown={() => {
          wasOpen.current = isOpen
        }}
        onClick={() => {
          setOpen(!wasOpen.current)
          wasOpen.current = false
        }}
      >
        <IconDotsVertical size={14} aria-hidden />
      </button>
      {isOpen && (
        <Menu label={label} anchor={button} entries={entries()} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
