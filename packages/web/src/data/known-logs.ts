import type { KnownLog } from '@vitrine/client'

/** The states of logs that were verified last in this browser, by repository. */
export type KnownLogs = {
  find: (repo: string) => KnownLog | undefined
  keep: (repo: string, known: KnownLog) => void
  forget: (repo: string) => void
}

const keyOf = (repo: string) => `vitrine.log.${repo}`

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
