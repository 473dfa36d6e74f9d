import { useEffect } from 'react'
import { useApp } from '../app-context.tsx'

/**
 * Protects what was typed on a page while it is `unsaved`: a session that ends shows a notice instead of
 * leading to sign-in, and the browser asks before it leaves the site.
 */
export function useUnsavedChanges(unsaved: boolean): void {
  const { session } = useApp()
  useEffect(() => {
    if (!unsaved) return
    const release = session.hold()
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => {
      release()
      window.removeEventListener('beforeunload', ask)
    }
  }, [unsaved, session])
}
