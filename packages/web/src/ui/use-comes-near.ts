import { useIntersection } from '@mantine/hooks'
import { useState } from 'react'

/** Whether an element has come so near to the window, as a CSS margin of it; it stays true. */
export function useComesNear(rootMargin: string) {
  const { ref, entry } = useIntersection({ rootMargin })
  const [isNear, setNear] = useState(false)
  if (entry?.isIntersecting === true && !isNear) setNear(true)
  return { ref, isNear }
}
