import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useHoldPage } from '../auth/use-unsaved-changes.ts'
import { importsChanged, itemsChanged } from '../data/queries.ts'
import type { ImportRun } from '../pages/Import/import-run.ts'

/** Follows a run on the screen; it pauses when the screen is left. */
export function useImportRun(run: ImportRun): void {
  const queryClient = useQueryClient()
  useSyncExternalStore(run.subscribe, () => run.version)
  useEffect(() => {
    // A mount after an unmount: React's strict mode, or the way back to this screen.
    if (run.status.is === 'paused') run.start()
    return () => run.pause()
  }, [run])
  useHoldPage(run.status.is !== 'ended' && run.state?.state !== 'publishing')

  const state = run.state?.state
  useEffect(() => {
    void importsChanged(queryClient)
    if (state === 'done') void itemsChanged(queryClient)
  }, [state, queryClient])
}
