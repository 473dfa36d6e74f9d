import { useIntersection } from '@mantine/hooks'
import { useState } from 'react'

/**
 * Whether an element has come so near to the window, as a CSS margin of it, which stays true, and how many
 * pixels its longer side had then.
 */
export function useComesNear(rootMargin: string) {
  const { ref, entry } = useIntersection({ rootMargin })
  const [side, setSide] = useState<number>()
  if (entry?.isIntersecting === true && side === undefined) {
    const { width, height } = entry.boundingClientRect
    setSide(Math.max(width, height))
  }
  return { ref, isNear: side !== undefined, side: side ?? 0 }
}
