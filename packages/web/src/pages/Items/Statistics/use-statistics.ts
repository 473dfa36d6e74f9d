import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { useApp } from '../../../app-context.tsx'

/** Whether statistics stand below the column heads, as `heads` in the address says. */
export function useStatistics() {
  const { features } = useApp()
  const [search, setSearch] = useSearchParams()
  const canShow = features.includes('summary') && features.includes('explore')
  const isShown = canShow && search.get('heads') === 'statistics'
  const toggle = useCallback(
    () =>
      setSearch(
        (now) => {
          const changed = new URLSearchParams(now)
          if (changed.get('heads') === 'statistics') changed.delete('heads')
          else changed.set('heads', 'statistics')
          return changed
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearch],
  )
  return { canShow, isShown, toggle }
}
