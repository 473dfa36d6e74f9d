import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

export type ListLook = 'list' | 'cards'

const key = 'vitrine.datasets.look'

/** Whether datasets are a list or cards: as the address says, or else as was chosen last in this browser. */
export function useListLook(): [ListLook, (look: ListLook) => void] {
  const [search, setSearch] = useSearchParams()
  const choose = useCallback(
    (look: ListLook) => {
      keep(look)
      setSearch(
        (now) => {
          const changed = new URLSearchParams(now)
          changed.set('as', look)
          return changed
        },
        { replace: true, preventScrollReset: true },
      )
    },
    [setSearch],
  )
  return [lookNamed(search.get('as')) ?? lookNamed(storedLook()) ?? 'list', choose]
}

function lookNamed(look: string | null): ListLook | undefined {
  return look === 'list' || look === 'cards' ? look : undefined
}

function storedLook(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function keep(look: ListLook): void {
  try {
    localStorage.setItem(key, look)
  } catch {
    // The address keeps it.
  }
}
