import {
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type PointerEvent,
  type ReactNode,
} from 'react'
import classes from './ItemHoverCard.module.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

const ItemCard = lazyPart(async () => (await import('./ItemCard.tsx')).ItemCard)

/** Milliseconds: what the pointer only passes over shows nothing, and the way from link to card loses nothing. */
const [restMs, leaveMs] = [350, 200]

/** Height of the largest card: with less room below its link it stands above. */
const cardHeight = 320

type Props = { target: string; id: number; children: ReactNode }

/**
 * Shows an item while the pointer rests on what refers to it, or on the card itself, and while the keyboard has
 * brought the focus there; Escape puts the card away
 * (https://www.w3.org/TR/WCAG22/#content-on-hover-or-focus).
 */
export function ItemHoverCard({ target, id, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const soon = (open: boolean, ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(open), ms)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <span
      ref={anchor}
      className={classes.anchor}
      onPointerEnter={({ pointerType }: PointerEvent) => {
        if (pointerType === 'mouse') soon(true, restMs)
      }}
      onPointerLeave={() => soon(false, leaveMs)}
      onFocus={({ target: link }) => {
        if (link.matches(':focus-visible')) soon(true, restMs)
      }}
      onBlur={() => soon(false, leaveMs)}
    >
      {children}
      {isOpen && (
        <Card anchor={anchor} onClose={() => setOpen(false)}>
          <ItemCard target={target} id={id} />
        </Card>
      )}
    </span>
  )
}

type CardProps = {
  anchor: { readonly current: HTMLElement | null }
  onClose: () => void
  children: ReactNode
}

function Card({ anchor, onClose, children }: CardProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    box.current!.showPopover()
    placeAt(box.current!, anchor.current!.getBoundingClientRect())
  }, [anchor])
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      // With Tab the focus goes on behind the link, and not into what the card shows.
      if (key === 'Escape' || key === 'Tab') onClose()
    }
    window.addEventListener('keydown', onKey)
    window.addEventListener('scroll', onClose, { capture: true, passive: true })
    return () => {
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('scroll', onClose, { capture: true })
    }
  }, [onClose])
  return (
    <div ref={box} popover="manual" className={classes.card}>
      <Suspense>{children}</Suspense>
    </div>
  )
}

/** Below a place, or above it where there is more room, within the window. */
function placeAt(card: HTMLElement, place: DOMRect): void {
  const { clientWidth, clientHeight } = document.documentElement
  const left = Math.min(place.left, clientWidth - card.getBoundingClientRect().width)
  card.style.left = `${Math.max(0, left)}px`
  const isBelow = place.bottom + cardHeight <= clientHeight || place.top < clientHeight / 2
  if (isBelow) card.style.top = `${place.bottom}px`
  else card.style.bottom = `${clientHeight - place.top}px`
}
