import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '@vitrine/client'
import type { Feature } from '@vitrine/contract'
import { createContext, use } from 'react'
import type { Session } from './auth/session.ts'
import type { ScreenCommands } from './palette/screen-commands.ts'
import type { Queries } from './data/queries.ts'

/** Services for every page; they exist from the start and never change. */
export type App = {
  client: Client
  queries: Queries
  queryClient: QueryClient
  session: Session
  /** Commands that the current screen offers. */
  commands: ScreenCommands
  /** The largest value that the server takes, where it says so. */
  maxUploadBytes: number | undefined
  /** Features beyond the sixteen calls, as the server announced them in `/config.json`. */
  features: readonly Feature[]
  /** Address at which people change their own account, where the server has such a page. */
  accountUrl: string | undefined
}

const AppContext = createContext<App | undefined>(undefined)

export const AppProvider = AppContext.Provider

export function useApp(): App {
  const app = use(AppContext)
  if (app === undefined) throw new Error('useApp needs an AppProvider above it')
  return app
}
