import * as z from 'zod/mini'
import type { Io } from '../command/io.ts'
import { changeSettings, readSettings, type SettingsFile } from './settings-file.ts'

const storedSignIn = z.object({
  /** The provider and the client that the tokens are of. */
  authority: z.string(),
  clientId: z.string(),
  /** Who signed in, as the provider calls them. */
  username: z.optional(z.string()),
  accessToken: z.string(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
  refreshToken: z.optional(z.string()),
})
/** Stored tokens and user of a sign-in to one server. */
export type StoredSignIn = z.infer<typeof storedSignIn>

const credentials = z.object({
  /** The server that was signed in to last. */
  current: z.optional(z.string()),
  servers: z.record(z.string(), storedSignIn),
})
export type Credentials = z.infer<typeof credentials>

const file: SettingsFile<Credentials> = {
  name: 'credentials',
  schema: credentials,
  empty: () => ({ servers: {} }),
  remedy: 'and sign in again',
}

/** The sign-ins of this account of the computer, by the servers' addresses. */
export function readCredentials(io: Pick<Io, 'env'>): Promise<Credentials> {
  return readSettings(io, file)
}

/**
 * Changes the file under a lock: of two commands that refreshed the same sign-in at once, the provider
 * would take the second for a thief.
 */
export function changeCredentials<T>(
  io: Pick<Io, 'env'>,
  change: (credentials: Credentials) => Promise<T>,
): Promise<T> {
  return changeSettings(io, file, change)
}
