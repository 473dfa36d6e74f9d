import { useLayoutEffect, type RefObject } from 'react'
import { useLocation } from 'react-router'

/** Where boxes that scroll by themselves stood, by entry of the browser's history. */
const positions = new Map<string, { top: number; left: number }>()

/**
 * Puts the scroll of a box back when the browser returns to a page, as is done for the window; a page
 * that is new begins at its top. `ready` says that what is to be scrolled is there.
 */
export function useKeptScroll(box: RefObject<HTMLElement | null>, name: string, ready: boolean) {
  const { key } = useLocation()
  useLayoutEffect(() => {
    const element = box.current
    if (!ready || element === null) return
    const place = `${key} ${name}`
    element.scrollTo(positions.get(place) ?? { top: 0 })
    const keep = () => {
      positions.set(place, { top: element.scrollTop, left: element.scrollLeft })
    }
    element.addEventListener('scroll', keep, { passive: true })
    return () => element.removeEventListener('scroll', keep)
  }, [box, key, name, ready])
}
