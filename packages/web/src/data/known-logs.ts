import type { KnownLog } from '@vitrine/client'

/** The states of logs that were verified last in this browser, by repository; without one, of the audit log. */
export type KnownLogs = {
  find: (repo: string | undefined) => KnownLog | undefined
  keep: (repo: string | undefined, known: KnownLog) => void
  forget: (repo: string | undefined) => void
}

const keyOf = (repo: string | undefined) =>
  repo === undefined ? 'vitrine.audit' : `vitrine.log.${repo}`

/** Keeps them where the browser lets us; where it does not, nothing is remembered. */
export function createKnownLogs(storage: Storage): KnownLogs {
  return {
    find: (repo) => {
      try {
        return readKnownLog(JSON.parse(storage.getItem(keyOf(repo)) ?? 'null'))
      } catch {
        return undefined
      }
    },
    keep: (repo, known) => {
      try {
        storage.setItem(keyOf(repo), JSON.stringify(known))
      } catch {
        // Full, or turned off.
      }
    },
    forget: (repo) => storage.removeItem(keyOf(repo)),
  }
}

function readKnownLog(stored: Partial<KnownLog> | null): KnownLog | undefined {
  const { origin, size, root, key, note } = stored ?? {}
  const isKnown = typeof size === 'number' && typeof root === 'string' && typeof key === 'string'
  if (!isKnown) return undefined
  return {
    size,
    root,
    key,
    ...(typeof origin === 'string' && { origin }),
    ...(typeof note === 'string' && { note }),
  }
}
