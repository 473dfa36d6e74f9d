import { useLayoutEffect, type RefObject } from 'react'

/** How much of a table's frame may be taken by what stays in view. */
const mostOfFrame = 0.6

/**
 * Keeps the pinned columns of a table beside its row headers: `--pin-1` of the frame is where the first of them
 * stays, and `auto` of one for which there is no room. `pinned` names them.
 */
export function usePinnedColumns(frame: RefObject<HTMLElement | null>, pinned: string): void {
  useLayoutEffect(() => {
    const box = frame.current
    if (box === null || pinned === '') return
    const heads = box.querySelectorAll<HTMLElement>(
      'thead > tr:first-child > :is([data-row-header], [data-pinned])',
    )
    const place = () => {
      const room = box.clientWidth * mostOfFrame
      let end = 0
      let isFull = false
      for (const [index, head] of heads.entries()) {
        const { width } = head.getBoundingClientRect()
        isFull ||= index > 0 && end + width > room
        box.style.setProperty(`--pin-${index}`, isFull ? 'auto' : `${end}px`)
        if (!isFull) end += width
      }
      // What gets the focus is scrolled to where they do not cover it.
      box.style.scrollPaddingLeft = `${end}px`
    }
    const observer = new ResizeObserver(place)
    for (const each of [box, ...heads]) observer.observe(each)
    return () => {
      observer.disconnect()
      box.style.scrollPaddingLeft = ''
    }
  }, [frame, pinned])
}
