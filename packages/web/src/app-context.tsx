import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '@vitrine/client'
import { createContext, use } from 'react'
import type { Session } from './auth/session.ts'
import type { Queries } from './data/queries.ts'

/** What every page may use; it exists from the start and never changes. */
export type App = {
  client: Client
  queries: Queries
  queryClient: QueryClient
  session: Session
  /** The largest value that the server takes, where it says so. */
  maxUploadBytes: number | undefined
  /** What the server announced in `/config.json` beyond the sixteen calls. */
  features: readonly string[]
}

const AppContext = createContext<App | undefined>(undefined)

export const AppProvider = AppContext.Provider

export function useApp(): App {
  const app = use(AppContext)
  if (app === undefined) throw new Error('useApp needs an AppProvider above it')
  return app
}
