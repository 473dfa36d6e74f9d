import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ViewPreview } from '@vitrine/contract'
import { useEffect, useState } from 'react'
import { useApp } from '../../app-context.tsx'
import type { DatasetLookup } from '../suggest/suggest.ts'
import { readDescription, type Reading } from './read-description.ts'

const settleMs = 200

type Shown = { preview: ViewPreview; reading: Extract<Reading, { state: 'view' }> }

export type Previewed = {
  state: Reading['state']
  /** The last preview that came; it stays until the next one is there. */
  shown: Shown | undefined
  /** Whether the preview is of an earlier text. */
  stale: boolean
  error: Error | null
  retry: () => void
}

/** The preview of a text, asked for once typing has stopped. */
export function usePreview(text: string, lookup: DatasetLookup): Previewed {
  const { queries } = useApp()
  const [settled] = useDebouncedValue(text, settleMs)
  const [read, setRead] = useState<{ text: string; reading: Reading }>()
  const [kept, setKept] = useState<Shown>()

  useEffect(() => {
    let outdated = false
    const find = async () => {
      // Without the schemas nothing is known to be wrong, and nothing can be shown.
      const reading = await readDescription(settled, lookup).catch(() => wrong)
      if (!outdated) setRead({ text: settled, reading })
    }
    void find()
    return () => {
      outdated = true
    }
  }, [settled, lookup])

  const reading: Reading = read?.reading ?? { state: 'empty' }
  const isView = reading.state === 'view'
  const { data, error, refetch } = useQuery({
    ...queries.viewPreview(isView ? reading.body : undefined),
    enabled: isView,
  })
  if (isView && data !== undefined && (kept?.preview !== data || kept.reading !== reading)) {
    setKept({ preview: data, reading })
  }
  return {
    state: reading.state,
    shown: reading.state === 'empty' ? undefined : kept,
    stale: read?.text !== text || data === undefined || !isView,
    error: isView ? error : null,
    retry: () => void refetch(),
  }
}

const wrong: Reading = { state: 'wrong' }
