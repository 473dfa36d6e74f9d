import { useEffect } from 'react'
import { useApp } from '../app-context.tsx'

/**
 * While `holding`, the page has something typed: a session that ends is told of in a notice instead
 * of sending the user to sign-in, and leaving the site asks first.
 */
export function useHoldPage(holding: boolean): void {
  const { session } = useApp()
  useEffect(() => {
    if (!holding) return
    const release = session.hold()
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => {
      release()
      window.removeEventListener('beforeunload', ask)
    }
  }, [holding, session])
}
