import { useSyncExternalStore } from 'react'
import { useApp } from '../app-context.tsx'
import type { SessionState } from './session-machine.ts'

export function useSessionState(): { state: SessionState; held: boolean } {
  const { session } = useApp()
  const state = useSyncExternalStore(session.subscribe, () => session.state)
  const held = useSyncExternalStore(session.subscribe, () => session.held)
  return { state, held }
}
